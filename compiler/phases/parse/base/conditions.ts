/** Parses conditions of `if`, `unless` and `elsif`, and the values of `when`. */
import type { Expression } from '../../../core/tree/ast.ts'
import { COMPARISON_OPERATORS } from '../../../language/syntax/tokens.ts'
import type { Expressions } from './expressions.ts'
import { matchGroups, pattern, type TextSlice, matchAllGroups, trimSlice } from './text-slices.ts'
import { Refusal, MESSAGES } from './reference-messages.ts'
import type { StrictReader } from './strict-reader.ts'

/** Maximum number of terms in one condition. The emitted code has one nesting level per term. */
const MAX_TERMS = 500

interface Term {
  readonly value: Expression
  /** The operator between this term and the next one. */
  readonly joint: 'and' | 'or' | null
}

// ---- strict -----------------------------------------------------------------------------------------------------------

export function strictCondition(reader: StrictReader, expressions: Expressions): Expression {
  const terms: Term[] = []
  for (;;) {
    const value = strictComparison(reader, expressions)
    const joint = reader.consumeWord('and') ? 'and' : reader.consumeWord('or') ? 'or' : null
    terms.push({ value, joint })
    if (joint === null) break
  }
  reader.expectEnd()
  return joinTerms(terms)
}

function strictComparison(reader: StrictReader, expressions: Expressions): Expression {
  const left = reader.parseOperand()
  const operator = reader.consumeIf('comparison')
  return operator === null
    ? left
    : makeComparison(left, operator.text, reader.parseOperand(), expressions.spanOf(operator))
}

export function strictWhen(reader: StrictReader): Expression[] {
  const values = [reader.parseOperand()]
  while (reader.consumeWord('or') || reader.consumeIf('comma') !== null) values.push(reader.parseOperand())
  reader.expectEnd()
  return values
}

// ---- lax --------------------------------------------------------------------------------------------------------------

const JOINT = '\\b(?:\\s?and\\s?|\\s?or\\s?)\\b'
const TERMS = pattern(`(?:${JOINT}|(?:\\s*(?!${JOINT})(?:FRAGMENT|[^ \\t\\r\\n\\f\\v]+)\\s*)+)`, 'g')
const TERM = pattern('(FRAGMENT)\\s*([=!<>a-z_]+)?\\s*(FRAGMENT)?')
const WHEN = pattern('(FRAGMENT)(?:(?:\\s+or\\s+|\\s*,\\s*)(FRAGMENT[^]*))?')

export function laxCondition(markup: TextSlice, expressions: Expressions): Expression {
  const slices = matchAllGroups(markup, TERMS).flatMap(([wholeSlice]) => wholeSlice ?? [])
  const terms: Term[] = []
  // Terms are joined from right to left.
  for (let at = slices.length - 1; ; at -= 2) {
    const operator = terms.length === 0 ? null : trimSlice(slices[at + 1] ?? EMPTY).text
    const value = laxComparison(slices[at] ?? EMPTY, expressions)
    if (operator !== null && operator !== 'and' && operator !== 'or') throw new Refusal(MESSAGES.if)
    terms.unshift({ value, joint: operator })
    if (at <= 0) break
  }
  return joinTerms(terms)
}

const EMPTY: TextSlice = { text: '', at: 0 }

function laxComparison(term: TextSlice, expressions: Expressions): Expression {
  const [, left, operator, right] = matchGroups(term, TERM) ?? []
  if (left === undefined) throw new Refusal(MESSAGES.if)
  const value = expressions.parseOperand(left)
  return operator === undefined
    ? value
    : makeComparison(
        value,
        operator.text,
        expressions.parseOperand(right ?? { ...operator, text: '' }),
        expressions.spanOf(operator),
      )
}

export function laxWhen(markup: TextSlice, expressions: Expressions): Expression[] {
  const values: Expression[] = []
  for (let rest: TextSlice | undefined = markup; rest !== undefined; ) {
    const [, value, next]: readonly (TextSlice | undefined)[] = matchGroups(rest, WHEN) ?? []
    if (value === undefined) throw new Refusal(MESSAGES.when)
    values.push(expressions.parseOperand(value))
    rest = next
  }
  return values
}

// ---- strict and lax -------------------------------------------------------------------------------------------------------------

function makeComparison(left: Expression, operator: string, right: Expression, span: Expression['span']): Expression {
  return {
    kind: 'comparison',
    operator: COMPARISON_OPERATORS[operator] ?? { unknown: operator },
    left,
    right,
    span: { ...span, start: left.span.start, end: Math.max(span.end, right.span.end) },
  }
}

/** Joins terms from right to left: `a and b or c` is `a and (b or c)`. */
function joinTerms(terms: readonly Term[]): Expression {
  if (terms.length > MAX_TERMS) throw new Refusal(MESSAGES.nesting)
  const last = terms.at(-1)
  if (last === undefined) throw new Refusal(MESSAGES.if)
  return terms.slice(0, -1).reduceRight<Expression>(
    (right, { value: left, joint }) => ({
      kind: 'logical',
      operator: joint ?? 'and',
      left,
      right,
      span: { ...left.span, end: right.span.end },
    }),
    last.value,
  )
}
