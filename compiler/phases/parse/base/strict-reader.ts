/** The reader of the strict modes. It consumes lexemes one by one and accepts no leftover. */
import type { Expression } from '../../../core/model/ast.ts'
import type { Expressions, Operand } from './expressions.ts'
import { inspected, type Lexeme, type LexemeKind, lexemesOf } from './lexemes.ts'
import { part, type Piece } from './pieces.ts'
import { Refusal, WORDS } from './refusal.ts'

/** Maximum depth of nested values. */
const MOST_LEVELS = 100

export class StrictReader {
  readonly #text: Piece
  readonly #expressions: Expressions
  readonly #lexemes: readonly Lexeme[]
  readonly #bareBrackets: boolean
  #at = 0
  #depth = 0

  /** @param bareBrackets whether `['name']` is allowed without a name in front. @throws Refusal */
  constructor(text: Piece, expressions: Expressions, bareBrackets: boolean) {
    this.#text = text
    this.#expressions = expressions
    this.#lexemes = lexemesOf(text)
    this.#bareBrackets = bareBrackets
  }

  look(kind: LexemeKind, ahead = 0): boolean {
    return this.#lexemes[this.#at + ahead]?.kind === kind
  }

  /** The end offset of the last consumed lexeme. */
  get lastEnd(): number {
    const last = this.#lexemes[this.#at - 1]
    return last === undefined ? this.#text.at : last.at + last.text.length
  }

  /** Consumes a lexeme of the given kind. @throws Refusal for any other kind */
  consume(kind: LexemeKind): Piece {
    const found = this.#lexemes[this.#at] as Lexeme
    if (found.kind !== kind) throw new Refusal(`Expected ${kind} but found ${found.kind}`, found)
    this.#at++
    return found
  }

  /** Consumes a lexeme if it has the given kind; otherwise returns null. */
  take(kind: LexemeKind): Piece | null {
    return this.look(kind) ? this.consume(kind) : null
  }

  /** Consumes an identifier if it is the given word. */
  word(name: string): boolean {
    const found = this.#lexemes[this.#at]
    if (found?.kind !== 'id' || found.text !== name) return false
    this.#at++
    return true
  }

  /** @throws Refusal if any lexeme is left */
  end(): void {
    this.consume('end_of_string')
  }

  value(): Expression {
    return this.expression().value
  }

  /** Parses a value in a condition. */
  operand(): Expression {
    const { piece, value } = this.expression()
    return piece.text === 'blank' || piece.text === 'empty' ? this.#expressions.operand(piece) : value
  }

  expression(): Operand {
    if (++this.#depth > MOST_LEVELS) throw new Refusal(WORDS.nesting)
    const first = this.#lexemes[this.#at] as Lexeme
    const range = this.#head(first)
    this.#depth--
    const piece = part(this.#text, first.at - this.#text.at, this.lastEnd - this.#text.at)
    const value = range === null ? this.#expressions.value(piece) : this.#expressions.rangeOf(...range, piece)
    return { piece, value }
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
        const from = this.expression()
        this.consume('dotdot')
        const to = this.expression()
        this.consume('close_round')
        return [from, to]
      }
      default:
        throw new Refusal(`${inspected(first)} is not a valid expression`, first)
    }
  }

  #lookups(): void {
    for (;;) {
      if (this.look('open_square')) this.#bracket()
      else if (this.take('dot') === null) return
      else this.consume('id')
    }
  }

  #bracket(): void {
    this.#at++
    this.expression()
    this.consume('close_square')
  }
}
