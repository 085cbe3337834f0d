/**
 * What all rules of the grammar are made with: combinators, places in the source, and notes of what was accepted laxly.
 *
 * Chevrotain runs every rule once with dummy tokens to learn the grammar, so whatever looks at a token or a result stands
 * inside `act`.
 */
import { EOF, type IRuleConfig, type IToken, type ParserMethod, type TokenType } from 'chevrotain'
import type { Literal } from '../../core/model/ast.ts'
import type { Dialect, Syntax } from '../../core/model/dialect.ts'
import type { Span } from '../../core/source/span.ts'
import { LazyParser } from './lazy-parser.ts'
import * as T from './tokens.ts'

/** What a lax production skipped or forgave. `kind` decides with the mode whether it is an error, a warning or nothing. */
export interface SyntaxNote {
  readonly kind:
    | 'junk-before-value'
    | 'junk-after-value'
    | 'junk-after-filter'
    | 'empty-filter'
    | 'comma-for-colon'
    | 'missing-comma'
    | 'parenthesis'
    | 'unknown-operator'
    | 'single-quoted-json'
    | 'filtered-json-string'
    | 'unspaced-operator'
    | 'digit-name'
    | 'question-name'
    | 'question-target'
    | 'numeric-key'
    | 'accessor-on-literal'
    | 'missing-value'
    | 'braces-in-text'
    | 'space-in-target'
    | 'filter-without-effect'
    | 'junk-between-arguments'
    | 'nested-argument'
    | 'cut-text'
    | 'at-sign'
    | 'bare-bracket'
    | 'too-long'
    | 'too-deep'
  readonly span: Span
  readonly text: string
}

/** Rules by their own name; a tag's grammar calls them through `sub`. */
export type Rule<Result, Arguments extends unknown[] = []> = ParserMethod<Arguments, Result>

export interface Alternative<Result> {
  readonly ALT: () => Result
  readonly GATE?: () => boolean
}

/** What stands for a value that is missing. */
export const NIL: Literal = { kind: 'literal', value: { type: 'nil' }, span: { file: '', start: 0, end: 0 } }

/** Terms of one condition and filters of one value: what is emitted nests as deep. */
export const MOST_PARTS = 500

export function endOf(token: IToken): number {
  return token.startOffset + token.image.length
}

export abstract class GrammarBase extends LazyParser {
  /** Set before each parse. */
  file = ''
  base = 0
  /** The span of everything in a text whose own places are not known, as of a folded YAML value. */
  fixed: Span | null = null
  text = ''
  dialect: Dialect = 'platform'
  syntax: Syntax = 'lax'
  notes: SyntaxNote[] = []

  /** @param checked whether Chevrotain validates the grammar itself; only a test asks for it, since it doubles the time to start */
  constructor(vocabulary: readonly TokenType[], checked: boolean) {
    super(vocabulary, { skipValidations: !checked })
  }

  /** Recovery skips whole tags and outputs only, so that a broken piece of one never becomes half a value. */
  // biome-ignore lint/suspicious/noExplicitAny: the base class types its rules so
  protected override RULE<F extends (...args: any[]) => any>(
    name: string,
    implementation: F,
    config?: IRuleConfig<ReturnType<F>>,
  ): ParserMethod<Parameters<F>, ReturnType<F>> {
    return super.RULE(name, implementation, { resyncEnabled: false, ...config })
  }

  // ---- the combinators, public so that a tag's grammar can stand in its own file ------------------------------------

  take(index: number, type: TokenType): IToken {
    return this.consume(index, type)
  }
  /** Takes a sign and says what it means. */
  sign<Value>(index: number, type: TokenType, value: Value): Value {
    this.take(index, type)
    return value
  }
  sub<Result, Arguments extends unknown[]>(index: number, rule: Rule<Result, Arguments>, ...args: Arguments): Result {
    return args.length === 0 ? this.subrule(index, rule) : this.subrule(index, rule, { ARGS: args })
  }
  maybe<Result>(index: number, what: (() => Result) | { GATE: () => boolean; DEF: () => Result }): Result | undefined {
    return this.option(index, what)
  }
  repeat(index: number, what: (() => void) | { GATE: () => boolean; DEF: () => void }): void {
    this.many(index, what)
  }
  either<Result>(index: number, alternatives: Alternative<Result>[]): Result {
    const options = this.RECORDING_PHASE ? { DEF: alternatives, IGNORE_AMBIGUITIES: true } : alternatives
    return this.or(index, options)
  }
  act<Result>(what: () => Result): Result {
    return this.ACTION(what)
  }
  peek(distance: number): IToken {
    return this.LA(distance)
  }
  is(distance: number, type: TokenType): boolean {
    const token = this.LA(distance)
    return token.tokenType === type || T.isA(token, type)
  }

  /**
   * Whether a part of a rule may be there that begins with a token of the type, so that it need not be asked for where it is not: to ask costs
   * more than most parts of a markup. Always while the grammar is learnt.
   */
  maybeAt(type: TokenType): boolean {
    return this.RECORDING_PHASE || this.is(1, type)
  }

  /** Whether the markup ends here. Never while the grammar is learnt. */
  atEnd(): boolean {
    return !this.RECORDING_PHASE && (this.is(1, T.TagClose) || this.is(1, T.OutputClose))
  }

  /** Whether `name:` comes at that distance. */
  named(distance: number): boolean {
    return this.is(distance, T.Name) && this.is(distance + 1, T.Colon)
  }

  // Recovery is done once, at the end of a tag or output: a token that is missing is never made up.
  protected override canTokenTypeBeInsertedInRecovery(): boolean {
    return false
  }
  protected override canTokenTypeBeDeletedInRecovery(): boolean {
    return false
  }

  // ---- places -------------------------------------------------------------------------------------------------------

  at(start: number, end: number): Span {
    return this.fixed ?? { file: this.file, start: this.base + start, end: this.base + end }
  }
  spanOf(token: IToken): Span {
    return this.at(token.startOffset, endOf(token))
  }
  /** From a token that was read before to the last token read. */
  since(first: IToken): Span {
    return this.at(first.startOffset, this.lastEnd(first))
  }
  /** From a token that was read before to the last token read, with the place of a part that is all of it. */
  sinceWith(first: IToken, part: Span): Span {
    const end = this.lastEnd(first)
    if (this.fixed !== null) return this.fixed
    const isAll = part.start === this.base + first.startOffset && part.end === this.base + end
    return isAll ? part : this.at(first.startOffset, end)
  }
  private lastEnd(first: IToken): number {
    const last = this.LA(0)
    return last === undefined || last.tokenType === EOF || Number.isNaN(last.startOffset)
      ? endOf(first)
      : Math.max(endOf(last), endOf(first))
  }
  note(kind: SyntaxNote['kind'], span: Span, text = ''): void {
    this.notes.push({ kind, span, text })
  }
}
