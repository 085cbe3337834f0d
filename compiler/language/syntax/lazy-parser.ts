/**
 * Chevrotain's parser with a faster start and faster choices. Normally, its constructor computes the lookahead and the follow set of
 * every rule. A site uses few rules, and follow sets are only needed after syntax errors, so here both are computed on first use.
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

/** The tokens that end a broken rule, by the place of the rule in its caller. */
type Follows = Readonly<Record<string, TokenType[]>>

/** Private fields of Chevrotain's parser. */
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
   * Records the grammar. `withFollows` creates a parser with the same grammar and with follow sets, when they are needed. With null,
   * this parser computes them now.
   */
  protected recordGrammar(withFollows: (() => LazyParser) | null): void {
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

  /** Called for all rules after the grammar is recorded. */
  override preComputeLookaheadFunctions(): void {}

  getLaFuncFromCache(key: number): (() => unknown) | undefined {
    const cached = this.lookAheadFuncsCache.get(key)
    if (cached !== undefined) return cached
    const rule = this.gastProductionsCache[this.getCurrRuleFullName()]
    if (rule !== undefined) super.preComputeLookaheadFunctions([rule])
    return this.lookAheadFuncsCache.get(key)
  }
}

type AlternationOptions = Parameters<ILookaheadStrategy['buildLookaheadForAlternation']>[0]

/** Chooses between alternatives by the next token first, so that only the conditions of matching alternatives are evaluated. */
class FirstTokenLookahead extends LLkLookaheadStrategy {
  override buildLookaheadForAlternation(options: AlternationOptions) {
    const { prodOccurrence: occurrence, rule, maxLookahead, hasPredicates } = options
    const paths = hasPredicates
      ? getLookaheadPaths({ occurrence, rule, prodType: 'Alternation', maxLookahead })
      : undefined
    if (paths?.every((each) => each.every(({ length }) => length === 1)) !== true)
      return super.buildLookaheadForAlternation(options)
    const alternativesOfToken = alternativesByToken(paths)
    return function (this: { LA(distance: number): IToken }, alternatives: IOrAlt<unknown>[] = []) {
      return alternativesOfToken[this.LA(1).tokenTypeIdx]?.find((at) => alternatives[at]?.GATE?.call(this) !== false)
    }
  }
}

/** Returns the indexes of the alternatives that can begin with a token, by the number of the token type. */
function alternativesByToken(paths: readonly TokenType[][][]): readonly (readonly number[] | undefined)[] {
  const alternativesOfToken: number[][] = []
  const add = (token: number, alternative: number) => {
    const tokenAlternatives = (alternativesOfToken[token] ??= [])
    if (!tokenAlternatives.includes(alternative)) tokenAlternatives.push(alternative)
  }
  for (const [alternative, ways] of paths.entries())
    for (const [type] of ways) {
      if (type?.tokenTypeIdx === undefined) continue
      add(type.tokenTypeIdx, alternative)
      for (const each of type.categoryMatches ?? []) add(each, alternative)
    }
  return alternativesOfToken
}
