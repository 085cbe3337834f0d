/** One expression of the reference: a literal, a range, or a lookup, which is what anything else is taken for. */
import type { Accessor, Expression, Literal, LiteralValue, NameNode } from '../../../core/model/ast.ts'
import type { Span } from '../../../core/source/span.ts'
import { groupsOf, part, pattern, type Piece, stripped } from './pieces.ts'
import { Refusal, WORDS } from './refusal.ts'

/** Brackets inside brackets. */
const MOST_BRACKETS = 100

export type SpanAt = (start: number, end: number) => Span

const WORD_VALUES: ReadonlyMap<string, LiteralValue> = new Map<string, LiteralValue>([
  ['', { type: 'nil' }],
  ['nil', { type: 'nil' }],
  ['null', { type: 'nil' }],
  ['true', { type: 'boolean', value: true }],
  ['false', { type: 'boolean', value: false }],
  // Only what stands in a condition compares as these words.
  ['blank', { type: 'string', value: '' }],
  ['empty', { type: 'string', value: '' }],
])

// What stands in front of the last two dots is one bound, whatever it is.
const RANGE = pattern('^\\((?:\\s*)(?=(([^ \\t\\r\\n\\f\\v]+)\\s*\\.\\.))\\1\\s*([^ \\t\\r\\n\\f\\v]+)\\s*\\)$')
const INTEGER = /^-?[0-9]+$/
const NUMBER = /^-?[0-9][0-9.]*$/

export class Expressions {
  readonly #spanAt: SpanAt
  #depth = 0

  constructor(spanAt: SpanAt) {
    this.#spanAt = spanAt
  }

  spanOf({ text, at }: Piece): Span {
    return this.#spanAt(at, at + text.length)
  }

  between(start: number, end: number): Span {
    return this.#spanAt(start, end)
  }

  nameOf(piece: Piece): NameNode {
    return { name: piece.text, span: this.spanOf(piece) }
  }

  /** @throws Refusal for a range of what can be no number, and for brackets that nest too deep */
  value(piece: Piece): Expression {
    const own = stripped(piece)
    const { text } = own
    const quote = text[0]
    if ((quote === '"' || quote === "'") && text.endsWith(quote))
      return this.#literal(own, { type: 'string', value: text.slice(1, -1) })
    const word = WORD_VALUES.get(text)
    if (word !== undefined) return this.#literal(own, word)
    const range = text.startsWith('(') && text.endsWith(')') ? groupsOf(own, RANGE) : null
    const [, , from, to] = range ?? []
    if (from !== undefined && to !== undefined) return this.range(from, to, own)
    return this.#number(own) ?? this.#lookup(own)
  }

  /** A value in a condition, where `blank` and `empty` are more than empty texts. */
  operand(piece: Piece): Expression {
    const { text } = piece
    return text === 'blank' || text === 'empty' ? this.#literal(piece, { type: text }) : this.value(piece)
  }

  range(first: Piece, last: Piece, whole: Piece): Expression {
    return this.rangeOf({ piece: first, value: this.value(first) }, { piece: last, value: this.value(last) }, whole)
  }

  rangeOf(from: Operand, to: Operand, whole: Piece): Expression {
    if (isConstant(from.value) && isConstant(to.value))
      for (const { piece, value } of [from, to])
        if (!isNumeric(value)) throw new Refusal(`Invalid expression type '${piece.text}' in range expression`)
    return { kind: 'range', from: from.value, to: to.value, span: this.spanOf(whole) }
  }

  #literal(piece: Piece, value: LiteralValue): Literal {
    return { kind: 'literal', value, span: this.spanOf(piece) }
  }

  /** Of `1.2.3` the number is 1.2, and of `1.` it is 1.0. */
  #number(piece: Piece): Literal | null {
    const { text } = piece
    if (!NUMBER.test(text)) return null
    if (!INTEGER.test(text))
      return this.#literal(piece, { type: 'float', value: Number(/^-?[0-9]+\.?[0-9]*/.exec(text)?.[0]) })
    const small = Number(text)
    const value = Number.isSafeInteger(small) ? small + 0 : BigInt(text)
    return this.#literal(piece, { type: 'integer', value })
  }

  /** A lookup is the names and brackets that a text holds; what stands between them is passed over. */
  #lookup(piece: Piece): Expression {
    if (++this.#depth > MOST_BRACKETS) throw new Refusal(WORDS.nesting)
    const [first, ...others] = segmentsOf(piece)
    const path = others.map((segment) => this.#accessor(segment))
    const span = this.spanOf(piece)
    const lookup: Expression =
      first === undefined
        ? this.#nameless(piece)
        : first.text.startsWith('[')
          ? { kind: 'lookup', name: null, path: [this.#accessor(first), ...path], span }
          : { kind: 'lookup', name: this.nameOf(first), path, span }
    this.#depth--
    return lookup
  }

  /** Of a text without names: the variable of no name, which is there for nobody. */
  #nameless(piece: Piece): Expression {
    const span = this.spanOf(piece)
    return {
      kind: 'lookup',
      name: null,
      path: [{ kind: 'index', value: this.#literal(piece, { type: 'nil' }), span }],
      span,
    }
  }

  #accessor(segment: Piece): Accessor {
    const span = this.spanOf(segment)
    if (!segment.text.startsWith('[')) return { kind: 'key', name: segment.text, span }
    return { kind: 'index', value: this.value(part(segment, 1, segment.text.length - 1)), span }
  }
}

/** A value, and the text that it was read from. */
export interface Operand {
  readonly piece: Piece
  readonly value: Expression
}

function isConstant(value: Expression): boolean {
  return value.kind === 'literal' || (value.kind === 'range' && isConstant(value.from) && isConstant(value.to))
}

function isNumeric(value: Expression): boolean {
  return value.kind === 'literal' && value.value.type !== 'boolean'
}

const NAME = /[A-Za-z0-9_-]+\??/y

/** Names, and brackets that close; a bracket that does not is passed over as any other sign. */
function segmentsOf(piece: Piece): readonly Piece[] {
  const { text } = piece
  const closings = closingBrackets(text)
  const list: Piece[] = []
  for (let at = 0; at < text.length; ) {
    NAME.lastIndex = at
    const close = closings.get(at)
    const end = close !== undefined ? close + 1 : NAME.test(text) ? NAME.lastIndex : at
    if (end > at) list.push(part(piece, at, end))
    at = Math.max(end, at + 1)
  }
  return list
}

function closingBrackets(text: string): ReadonlyMap<number, number> {
  const closings = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') open.push(at)
    const opened = text[at] === ']' ? open.pop() : undefined
    if (opened !== undefined) closings.set(opened, at)
  }
  return closings
}
