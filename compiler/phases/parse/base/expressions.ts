/** Parses one expression as the reference implementation does: a literal, a range, or a lookup. Any other text counts as a lookup. */
import type { Accessor, Expression, Literal, LiteralValue, NameNode } from '../../../core/tree/ast.ts'
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

  nameOf(slice: TextSlice): NameNode {
    return { name: slice.text, span: this.spanOf(slice) }
  }

  /** Parses a value. @throws Refusal for a range bound that cannot be a number, and for brackets that are nested too deep */
  value(slice: TextSlice): Expression {
    const trimmed = trimSlice(slice)
    const { text } = trimmed
    const quote = text[0]
    if ((quote === '"' || quote === "'") && text.endsWith(quote))
      return this.#literal(trimmed, { type: 'string', value: text.slice(1, -1) })
    const word = WORD_VALUES.get(text)
    if (word !== undefined) return this.#literal(trimmed, word)
    const range = text.startsWith('(') && text.endsWith(')') ? matchGroups(trimmed, RANGE) : null
    const [, , from, to] = range ?? []
    if (from !== undefined && to !== undefined) return this.range(from, to, trimmed)
    return this.#number(trimmed) ?? this.#lookup(trimmed)
  }

  /** Parses a value in a condition, where `blank` and `empty` are special values and not empty texts. */
  parseOperand(slice: TextSlice): Expression {
    const { text } = slice
    return text === 'blank' || text === 'empty' ? this.#literal(slice, { type: text }) : this.value(slice)
  }

  range(first: TextSlice, last: TextSlice, wholeSlice: TextSlice): Expression {
    return this.rangeOf(
      { slice: first, value: this.value(first) },
      { slice: last, value: this.value(last) },
      wholeSlice,
    )
  }

  rangeOf(start: Operand, end: Operand, wholeSlice: TextSlice): Expression {
    if (isConstant(start.value) && isConstant(end.value))
      for (const { slice, value } of [start, end])
        if (!isNumeric(value)) throw new Refusal(`Invalid expression type '${slice.text}' in range expression`)
    return { kind: 'range', from: start.value, to: end.value, span: this.spanOf(wholeSlice) }
  }

  #literal(slice: TextSlice, value: LiteralValue): Literal {
    return { kind: 'literal', value, span: this.spanOf(slice) }
  }

  /** Parses a leading number: `1.2.3` is 1.2, and `1.` is 1.0. */
  #number(slice: TextSlice): Literal | null {
    const { text } = slice
    if (!NUMBER.test(text)) return null
    if (!INTEGER.test(text))
      return this.#literal(slice, { type: 'float', value: Number(/^-?[0-9]+\.?[0-9]*/.exec(text)?.[0]) })
    const number = Number(text)
    const value = Number.isSafeInteger(number) ? number + 0 : BigInt(text)
    return this.#literal(slice, { type: 'integer', value })
  }

  /** Parses the names and brackets of a lookup. Other characters between them are skipped. */
  #lookup(slice: TextSlice): Expression {
    if (++this.#depth > MAX_BRACKET_DEPTH) throw new Refusal(MESSAGES.nesting)
    const [first, ...others] = lookupSegments(slice)
    const path = others.map((segment) => this.#accessor(segment))
    const span = this.spanOf(slice)
    const lookup: Expression =
      first === undefined
        ? this.#emptyLookup(slice)
        : first.text.startsWith('[')
          ? { kind: 'lookup', name: null, path: [this.#accessor(first), ...path], span }
          : { kind: 'lookup', name: this.nameOf(first), path, span }
    this.#depth--
    return lookup
  }

  /** Returns a lookup of the empty name, which never has a value. Used for text without any name. */
  #emptyLookup(slice: TextSlice): Expression {
    const span = this.spanOf(slice)
    return {
      kind: 'lookup',
      name: null,
      path: [{ kind: 'index', value: this.#literal(slice, { type: 'nil' }), span }],
      span,
    }
  }

  #accessor(segment: TextSlice): Accessor {
    const span = this.spanOf(segment)
    if (!segment.text.startsWith('[')) return { kind: 'key', name: segment.text, span }
    return { kind: 'index', value: this.value(subSlice(segment, 1, segment.text.length - 1)), span }
  }
}

/** A value with its source text. */
export interface Operand {
  readonly slice: TextSlice
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
function lookupSegments(slice: TextSlice): readonly TextSlice[] {
  const { text } = slice
  const closings = closingBrackets(text)
  const list: TextSlice[] = []
  for (let at = 0; at < text.length; ) {
    NAME.lastIndex = at
    const close = closings.get(at)
    const end = close !== undefined ? close + 1 : NAME.test(text) ? NAME.lastIndex : at
    if (end > at) list.push(subSlice(slice, at, end))
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
