/**
 * Chevrotain's parser, made to start and to choose faster. By itself it works out, when it is made, the lookahead of every rule and what
 * can follow each of them. A site uses few of the rules, and what follows is asked for only where something cannot be read: here both
 * are worked out when they are first asked for.
 */
import {
  EmbeddedActionsParser,
  getLookaheadPaths,
  type ILookaheadStrategy,
  type IOrAlt,
  type IParserConfig,
  type IToken,
  LLkLookaheadStrategy,
  type Rule as GrammarRule,
  type TokenType,
} from 'chevrotain'

/** Tokens that lead out of a broken rule, by the place of a rule in the rule that calls it. */
type Follows = Readonly<Record<string, TokenType[]>>

/** What Chevrotain's parser has beside what its types tell. */
interface ParserInternals {
  recoveryEnabled: boolean
  resyncFollows: Follows
  readonly gastProductionsCache: Readonly<Record<string, GrammarRule>>
  readonly lookAheadFuncsCache: ReadonlyMap<number, () => unknown>
  preComputeLookaheadFunctions(rules: readonly GrammarRule[]): void
  getFollowSetFromFollowKey(key: unknown): TokenType[]
  getCurrRuleFullName(): string
}

// Chevrotain's types omit these internals, or declare them private.
const ChevrotainParser = EmbeddedActionsParser as unknown as abstract new (
  vocabulary: readonly TokenType[],
  config: IParserConfig,
) => EmbeddedActionsParser & ParserInternals

export abstract class LazyParser extends ChevrotainParser {
  #withFollows: (() => LazyParser) | null = null

  constructor(vocabulary: readonly TokenType[], config: IParserConfig) {
    super(vocabulary, {
      ...config,
      maxLookahead: 1,
      recoveryEnabled: true,
      lookaheadStrategy: new FirstTokenLookahead({ maxLookahead: 1 }),
    })
  }

  /**
   * Learns the grammar. `withFollows` makes a parser of the same grammar that has learnt what follows each rule, when that is asked for;
   * with null this one learns it now.
   */
  protected learn(withFollows: (() => LazyParser) | null): void {
    this.#withFollows = withFollows
    this.recoveryEnabled = withFollows === null
    this.performSelfAnalysis()
    this.recoveryEnabled = true
  }

  override getFollowSetFromFollowKey(key: unknown): TokenType[] {
    if (this.#withFollows !== null) this.resyncFollows = this.#withFollows().resyncFollows
    this.#withFollows = null
    return super.getFollowSetFromFollowKey(key)
  }

  /** Called for all rules when the grammar has been learnt. */
  override preComputeLookaheadFunctions(): void {}

  getLaFuncFromCache(key: number): (() => unknown) | undefined {
    const known = this.lookAheadFuncsCache.get(key)
    if (known !== undefined) return known
    const rule = this.gastProductionsCache[this.getCurrRuleFullName()]
    if (rule !== undefined) super.preComputeLookaheadFunctions([rule])
    return this.lookAheadFuncsCache.get(key)
  }
}

type AlternationOptions = Parameters<ILookaheadStrategy['buildLookaheadForAlternation']>[0]

/** Chooses between alternatives with conditions by the next token first, so that only the conditions of those that fit are asked. */
class FirstTokenLookahead extends LLkLookaheadStrategy {
  override buildLookaheadForAlternation(options: AlternationOptions) {
    const { prodOccurrence: occurrence, rule, maxLookahead, hasPredicates } = options
    const paths = hasPredicates
      ? getLookaheadPaths({ occurrence, rule, prodType: 'Alternation', maxLookahead })
      : undefined
    if (paths?.every((each) => each.every(({ length }) => length === 1)) !== true)
      return super.buildLookaheadForAlternation(options)
    const fitting = alternativesByToken(paths)
    return function (this: { LA(distance: number): IToken }, alternatives: IOrAlt<unknown>[] = []) {
      return fitting[this.LA(1).tokenTypeIdx]?.find((at) => alternatives[at]?.GATE?.call(this) !== false)
    }
  }
}

/** The alternatives that can begin with a token, in their order, by the number of the token's type. */
function alternativesByToken(paths: readonly TokenType[][][]): readonly (readonly number[] | undefined)[] {
  const fitting: number[][] = []
  const add = (token: number, alternative: number) => {
    const known = (fitting[token] ??= [])
    if (!known.includes(alternative)) known.push(alternative)
  }
  for (const [alternative, ways] of paths.entries())
    for (const [type] of ways) {
      if (type?.tokenTypeIdx === undefined) continue
      add(type.tokenTypeIdx, alternative)
      for (const each of type.categoryMatches ?? []) add(each, alternative)
    }
  return fitting
}
