/** The reader of the strict modes. It consumes lexemes one by one and rejects leftover lexemes. */
import type { Expression } from '../../../core/tree/ast.ts'
import type { Expressions, Operand } from './expressions.ts'
import { formatLexeme, type Lexeme, type LexemeKind, tokenize } from './lexemes.ts'
import { subSlice, type TextSlice } from './text-slices.ts'
import { Refusal, MESSAGES } from './reference-messages.ts'

/** Maximum depth of nested values. */
const MAX_DEPTH = 100

export class StrictReader {
  readonly #text: TextSlice
  readonly #expressions: Expressions
  readonly #lexemes: readonly Lexeme[]
  readonly #bareBrackets: boolean
  #at = 0
  #depth = 0

  /**
   * @param bareBrackets whether `['name']` is allowed without a name in front.
   * @throws Refusal
   */
  constructor(text: TextSlice, expressions: Expressions, bareBrackets: boolean) {
    this.#text = text
    this.#expressions = expressions
    this.#lexemes = tokenize(text)
    this.#bareBrackets = bareBrackets
  }

  nextIs(kind: LexemeKind, ahead = 0): boolean {
    return this.#lexemes[this.#at + ahead]?.kind === kind
  }

  /** The end offset of the last consumed lexeme. */
  get lastEnd(): number {
    const last = this.#lexemes[this.#at - 1]
    return last === undefined ? this.#text.at : last.at + last.text.length
  }

  get #next(): Lexeme {
    const next = this.#lexemes[this.#at]
    if (next === undefined) throw new Error('there is no lexeme after the end')
    return next
  }

  /** Consumes a lexeme of the given kind. @throws Refusal for any other kind */
  consume(kind: LexemeKind): TextSlice {
    const lexeme = this.#next
    if (lexeme.kind !== kind) throw new Refusal(`Expected ${kind} but found ${lexeme.kind}`, lexeme)
    this.#at++
    return lexeme
  }

  /** Consumes a lexeme if it has the given kind; otherwise returns null. */
  consumeIf(kind: LexemeKind): TextSlice | null {
    return this.nextIs(kind) ? this.consume(kind) : null
  }

  /** Consumes an identifier if it is the given word. */
  consumeWord(name: string): boolean {
    const lexeme = this.#lexemes[this.#at]
    if (lexeme?.kind !== 'id' || lexeme.text !== name) return false
    this.#at++
    return true
  }

  /** @throws Refusal if any lexeme is left */
  expectEnd(): void {
    this.consume('end_of_string')
  }

  parseValue(): Expression {
    return this.parseExpression().value
  }

  /** Parses a value in a condition. */
  parseOperand(): Expression {
    const { slice, value } = this.parseExpression()
    return slice.text === 'blank' || slice.text === 'empty' ? this.#expressions.parseOperand(slice) : value
  }

  parseExpression(): Operand {
    if (++this.#depth > MAX_DEPTH) throw new Refusal(MESSAGES.nesting)
    const firstLexeme = this.#next
    const range = this.#head(firstLexeme)
    this.#depth--
    const slice = subSlice(this.#text, firstLexeme.at - this.#text.at, this.lastEnd - this.#text.at)
    const value = range === null ? this.#expressions.value(slice) : this.#expressions.rangeOf(...range, slice)
    return { slice, value }
  }

  /** Consumes the lexemes of an expression. Returns the bounds of a range, and null for any other expression. */
  #head(first: Lexeme): readonly [Operand, Operand] | null {
    switch (first.kind) {
      case 'id':
        this.#at++
        this.#lookups()
        return null
      case 'open_square':
        if (!this.#bareBrackets) throw new Refusal("Bare bracket access is not allowed. Use self['...'] instead", first)
        this.#bracket()
        this.#lookups()
        return null
      case 'string':
      case 'number':
        this.#at++
        return null
      case 'open_round': {
        this.#at++
        const from = this.parseExpression()
        this.consume('dotdot')
        const to = this.parseExpression()
        this.consume('close_round')
        return [from, to]
      }
      default:
        throw new Refusal(`${formatLexeme(first)} is not a valid expression`, first)
    }
  }

  #lookups(): void {
    for (;;) {
      if (this.nextIs('open_square')) this.#bracket()
      else if (this.consumeIf('dot') === null) return
      else this.consume('id')
    }
  }

  #bracket(): void {
    this.#at++
    this.parseExpression()
    this.consume('close_square')
  }
}
