/** Parses conditions of `if`, `unless` and `elsif`, and the values of `when`. */
import type { ComparisonOperator, Expression } from '../../../core/model/ast.ts'
import type { Expressions } from './expressions.ts'
import { groupsOf, pattern, type Piece, scan, stripped } from './pieces.ts'
import { Refusal, WORDS } from './refusal.ts'
import type { StrictReader } from './strict-reader.ts'

/** Maximum number of terms in one condition. The emitted code nests as deep. */
const MOST_TERMS = 500

const OPERATORS: Readonly<Record<string, ComparisonOperator>> = {
  '==': '==',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
  contains: 'contains',
}

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
    const joint = reader.word('and') ? 'and' : reader.word('or') ? 'or' : null
    terms.push({ value, joint })
    if (joint === null) break
  }
  reader.end()
  return joined(terms)
}

function strictComparison(reader: StrictReader, expressions: Expressions): Expression {
  const left = reader.operand()
  const operator = reader.take('comparison')
  return operator === null ? left : comparison(left, operator.text, reader.operand(), expressions.spanOf(operator))
}

export function strictWhen(reader: StrictReader): Expression[] {
  const values = [reader.operand()]
  while (reader.word('or') || reader.take('comma') !== null) values.push(reader.operand())
  reader.end()
  return values
}

// ---- lax --------------------------------------------------------------------------------------------------------------

const JOINT = '\\b(?:\\s?and\\s?|\\s?or\\s?)\\b'
const TERMS = pattern(`(?:${JOINT}|(?:\\s*(?!${JOINT})(?:FRAGMENT|[^ \\t\\r\\n\\f\\v]+)\\s*)+)`, 'g')
const TERM = pattern('(FRAGMENT)\\s*([=!<>a-z_]+)?\\s*(FRAGMENT)?')
const WHEN = pattern('(FRAGMENT)(?:(?:\\s+or\\s+|\\s*,\\s*)(FRAGMENT[^]*))?')

export function laxCondition(markup: Piece, expressions: Expressions): Expression {
  const pieces = scan(markup, TERMS).map(([whole]) => whole as Piece)
  const terms: Term[] = []
  // Terms are joined from right to left.
  for (let at = pieces.length - 1; ; at -= 2) {
    const operator = terms.length === 0 ? null : stripped(pieces[at + 1] ?? EMPTY).text
    const value = laxComparison(pieces[at] ?? EMPTY, expressions)
    if (operator !== null && operator !== 'and' && operator !== 'or') throw new Refusal(WORDS.if)
    terms.unshift({ value, joint: operator })
    if (at <= 0) break
  }
  return joined(terms)
}

const EMPTY: Piece = { text: '', at: 0 }

function laxComparison(term: Piece, expressions: Expressions): Expression {
  const [, left, operator, right] = groupsOf(term, TERM) ?? []
  if (left === undefined) throw new Refusal(WORDS.if)
  const value = expressions.operand(left)
  return operator === undefined
    ? value
    : comparison(
        value,
        operator.text,
        expressions.operand(right ?? { ...operator, text: '' }),
        expressions.spanOf(operator),
      )
}

export function laxWhen(markup: Piece, expressions: Expressions): Expression[] {
  const values: Expression[] = []
  for (let rest: Piece | undefined = markup; rest !== undefined; ) {
    const [, value, next]: readonly (Piece | undefined)[] = groupsOf(rest, WHEN) ?? []
    if (value === undefined) throw new Refusal(WORDS.when)
    values.push(expressions.operand(value))
    rest = next
  }
  return values
}

// ---- both -------------------------------------------------------------------------------------------------------------

function comparison(left: Expression, operator: string, right: Expression, span: Expression['span']): Expression {
  return {
    kind: 'comparison',
    operator: OPERATORS[operator] ?? { unknown: operator },
    left,
    right,
    span: { ...span, start: left.span.start, end: Math.max(span.end, right.span.end) },
  }
}

/** Joins terms from right to left: `a and b or c` is `a and (b or c)`. */
function joined(terms: readonly Term[]): Expression {
  if (terms.length > MOST_TERMS) throw new Refusal(WORDS.nesting)
  return terms.slice(0, -1).reduceRight<Expression>(
    (right, { value: left, joint }) => ({
      kind: 'logical',
      operator: joint ?? 'and',
      left,
      right,
      span: { ...left.span, end: right.span.end },
    }),
    (terms.at(-1) as Term).value,
  )
}
