/**
 * The base class of the grammar: combinators, source positions, and notes about lax syntax.
 *
 * Chevrotain runs every rule once with dummy tokens to record the grammar. So code that uses a token or a result must be inside `act`.
 */
import { EOF, type IRuleConfig, type IToken, type ParserMethod, type TokenType } from 'chevrotain'
import type { Literal } from '../../core/tree/ast.ts'
import type { Dialect, Syntax } from '../../core/model/dialect.ts'
import type { Span } from '../../core/source/span.ts'
import { LazyParser } from './lazy-parser.ts'
import * as T from './tokens.ts'

/** Text that a lax rule skipped or accepted. The mode and the `kind` decide whether it is an error, a warning or nothing. */
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

/** A grammar rule. The grammar of a tag calls rules with `sub`. */
export type Rule<Result, Arguments extends unknown[] = []> = ParserMethod<Arguments, Result>

export interface Alternative<Result> {
  readonly ALT: () => Result
  readonly GATE?: () => boolean
}

/** The placeholder for a missing value. */
export const NIL: Literal = { kind: 'literal', value: { type: 'nil' }, span: { file: '', start: 0, end: 0 } }

/** Maximum number of terms in a condition and of filters on a value, because the emitted code is nested as deeply. */
export const MAX_PARTS = 500

export function endOf(token: IToken): number {
  return token.startOffset + token.image.length
}

export abstract class GrammarBase extends LazyParser {
  /** The path of the parsed file, which is set before each parse. */
  file = ''
  base = 0
  /** The span for all nodes of a text without exact positions, such as a folded YAML value. */
  fixed: Span | null = null
  text = ''
  dialect: Dialect = 'platform'
  syntax: Syntax = 'lax'
  notes: SyntaxNote[] = []

  /** @param checked whether Chevrotain validates the grammar; only a test uses it, because it doubles the startup time */
  constructor(vocabulary: readonly TokenType[], checked: boolean) {
    super(vocabulary, { skipValidations: !checked })
  }

  // Recovery only skips whole tags and outputs, so that part of a broken one never becomes a value.
  // biome-ignore lint/suspicious/noExplicitAny: the base class types its rules so
  protected override RULE<F extends (...args: any[]) => any>(
    name: string,
    implementation: F,
    config?: IRuleConfig<ReturnType<F>>,
  ): ParserMethod<Parameters<F>, ReturnType<F>> {
    return super.RULE(name, implementation, { resyncEnabled: false, ...config })
  }

  // ---- combinators, public so that the grammars of tags can be in separate files --------------------------------------

  take(index: number, type: TokenType): IToken {
    return this.consume(index, type)
  }
  /** Consumes a token and returns `value`. */
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
   * Returns whether an optional part may begin here with this token type. It avoids a lookahead, which costs more than most parts of a
   * markup. It is always true while the grammar is recorded.
   */
  maybeAt(type: TokenType): boolean {
    return this.RECORDING_PHASE || this.is(1, type)
  }

  /** Returns whether the markup ends here. Always false while the grammar is recorded. */
  atEnd(): boolean {
    return !this.RECORDING_PHASE && (this.is(1, T.TagClose) || this.is(1, T.OutputClose))
  }

  /** Returns whether `name:` comes at this distance. */
  named(distance: number): boolean {
    return this.is(distance, T.Name) && this.is(distance + 1, T.Colon)
  }

  // Recovery runs once, at the end of a tag or output. Missing tokens are never inserted.
  protected override canTokenTypeBeInsertedInRecovery(): boolean {
    return false
  }
  protected override canTokenTypeBeDeletedInRecovery(): boolean {
    return false
  }

  // ---- source positions ---------------------------------------------------------------------------------------------

  at(start: number, end: number): Span {
    return this.fixed ?? { file: this.file, start: this.base + start, end: this.base + end }
  }
  spanOf(token: IToken): Span {
    return this.at(token.startOffset, endOf(token))
  }
  /** Returns the span from an earlier token to the last token. */
  since(firstToken: IToken): Span {
    return this.at(firstToken.startOffset, this.lastEnd(firstToken))
  }
  /** Returns the span from an earlier token to the last token; the span of `part` if they are equal. */
  sinceWith(firstToken: IToken, part: Span): Span {
    const end = this.lastEnd(firstToken)
    if (this.fixed !== null) return this.fixed
    const isAll = part.start === this.base + firstToken.startOffset && part.end === this.base + end
    return isAll ? part : this.at(firstToken.startOffset, end)
  }
  private lastEnd(firstToken: IToken): number {
    const last = this.LA(0)
    return last === undefined || last.tokenType === EOF || Number.isNaN(last.startOffset)
      ? endOf(firstToken)
      : Math.max(endOf(last), endOf(firstToken))
  }
  note(kind: SyntaxNote['kind'], span: Span, text = ''): void {
    this.notes.push({ kind, span, text })
  }
}
