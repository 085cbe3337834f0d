/** Parses one expression as the reference implementation does: a literal, a range, or a lookup. Any other text counts as a lookup. */
import type { Accessor, Expression, Literal, LiteralValue, NameNode } from '../../../core/model/ast.ts'
import type { Span } from '../../../core/source/span.ts'
import { matchGroups, subSlice, pattern, type TextSlice, trimSlice } from './text-slices.ts'
import { Refusal, MESSAGES } from './reference-messages.ts'

/** Maximum depth of nested brackets. */
const MAX_BRACKET_DEPTH = 100

export type SpanAt = (start: number, end: number) => Span

const WORD_VALUES: ReadonlyMap<string, LiteralValue> = new Map<string, LiteralValue>([
  ['', { type: 'nil' }],
  ['nil', { type: 'nil' }],
  ['null', { type: 'nil' }],
  ['true', { type: 'boolean', value: true }],
  ['false', { type: 'boolean', value: false }],
  // These words compare specially only in conditions. Elsewhere they are empty texts.
  ['blank', { type: 'string', value: '' }],
  ['empty', { type: 'string', value: '' }],
])

// Everything before the last two dots is one bound.
const RANGE = pattern('^\\((?:\\s*)(?=(([^ \\t\\r\\n\\f\\v]+)\\s*\\.\\.))\\1\\s*([^ \\t\\r\\n\\f\\v]+)\\s*\\)$')
const INTEGER = /^-?[0-9]+$/
const NUMBER = /^-?[0-9][0-9.]*$/

export class Expressions {
  readonly #spanAt: SpanAt
  #depth = 0

  constructor(spanAt: SpanAt) {
    this.#spanAt = spanAt
  }

  spanOf({ text, at }: TextSlice): Span {
    return this.#spanAt(at, at + text.length)
  }

  spanBetween(start: number, end: number): Span {
    return this.#spanAt(start, end)
  }

  nameOf(piece: TextSlice): NameNode {
    return { name: piece.text, span: this.spanOf(piece) }
  }

  /** Parses a value. @throws Refusal for a range bound that cannot be a number, and for brackets that are nested too deep */
  value(piece: TextSlice): Expression {
    const own = trimSlice(piece)
    const { text } = own
    const quote = text[0]
    if ((quote === '"' || quote === "'") && text.endsWith(quote))
      return this.#literal(own, { type: 'string', value: text.slice(1, -1) })
    const word = WORD_VALUES.get(text)
    if (word !== undefined) return this.#literal(own, word)
    const range = text.startsWith('(') && text.endsWith(')') ? matchGroups(own, RANGE) : null
    const [, , from, to] = range ?? []
    if (from !== undefined && to !== undefined) return this.range(from, to, own)
    return this.#number(own) ?? this.#lookup(own)
  }

  /** Parses a value in a condition, where `blank` and `empty` are more than empty texts. */
  parseOperand(piece: TextSlice): Expression {
    const { text } = piece
    return text === 'blank' || text === 'empty' ? this.#literal(piece, { type: text }) : this.value(piece)
  }

  range(first: TextSlice, last: TextSlice, whole: TextSlice): Expression {
    return this.rangeOf({ piece: first, value: this.value(first) }, { piece: last, value: this.value(last) }, whole)
  }

  rangeOf(from: Operand, to: Operand, whole: TextSlice): Expression {
    if (isConstant(from.value) && isConstant(to.value))
      for (const { piece, value } of [from, to])
        if (!isNumeric(value)) throw new Refusal(`Invalid expression type '${piece.text}' in range expression`)
    return { kind: 'range', from: from.value, to: to.value, span: this.spanOf(whole) }
  }

  #literal(piece: TextSlice, value: LiteralValue): Literal {
    return { kind: 'literal', value, span: this.spanOf(piece) }
  }

  /** Parses a leading number: `1.2.3` is 1.2, and `1.` is 1.0. */
  #number(piece: TextSlice): Literal | null {
    const { text } = piece
    if (!NUMBER.test(text)) return null
    if (!INTEGER.test(text))
      return this.#literal(piece, { type: 'float', value: Number(/^-?[0-9]+\.?[0-9]*/.exec(text)?.[0]) })
    const small = Number(text)
    const value = Number.isSafeInteger(small) ? small + 0 : BigInt(text)
    return this.#literal(piece, { type: 'integer', value })
  }

  /** Parses the names and brackets of a lookup. Other characters between them are skipped. */
  #lookup(piece: TextSlice): Expression {
    if (++this.#depth > MAX_BRACKET_DEPTH) throw new Refusal(MESSAGES.nesting)
    const [first, ...others] = lookupSegments(piece)
    const path = others.map((segment) => this.#accessor(segment))
    const span = this.spanOf(piece)
    const lookup: Expression =
      first === undefined
        ? this.#emptyLookup(piece)
        : first.text.startsWith('[')
          ? { kind: 'lookup', name: null, path: [this.#accessor(first), ...path], span }
          : { kind: 'lookup', name: this.nameOf(first), path, span }
    this.#depth--
    return lookup
  }

  /** Returns a lookup of the empty name, which never has a value. Used for text without any name. */
  #emptyLookup(piece: TextSlice): Expression {
    const span = this.spanOf(piece)
    return {
      kind: 'lookup',
      name: null,
      path: [{ kind: 'index', value: this.#literal(piece, { type: 'nil' }), span }],
      span,
    }
  }

  #accessor(segment: TextSlice): Accessor {
    const span = this.spanOf(segment)
    if (!segment.text.startsWith('[')) return { kind: 'key', name: segment.text, span }
    return { kind: 'index', value: this.value(subSlice(segment, 1, segment.text.length - 1)), span }
  }
}

/** A value, and the text it was parsed from. */
export interface Operand {
  readonly piece: TextSlice
  readonly value: Expression
}

function isConstant(value: Expression): boolean {
  return value.kind === 'literal' || (value.kind === 'range' && isConstant(value.from) && isConstant(value.to))
}

function isNumeric(value: Expression): boolean {
  return value.kind === 'literal' && value.value.type !== 'boolean'
}

const NAME = /[A-Za-z0-9_-]+\??/y

/** Splits a lookup into names and closed brackets. An unclosed bracket is skipped like any other character. */
function lookupSegments(piece: TextSlice): readonly TextSlice[] {
  const { text } = piece
  const closings = closingBrackets(text)
  const list: TextSlice[] = []
  for (let at = 0; at < text.length; ) {
    NAME.lastIndex = at
    const close = closings.get(at)
    const end = close !== undefined ? close + 1 : NAME.test(text) ? NAME.lastIndex : at
    if (end > at) list.push(subSlice(piece, at, end))
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
