/** `variable-type`: a variable that is given a value of the wrong type. */
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, quote } from '../../../../core/diagnostics/words.ts'
import { mismatchSeverity } from '../../../../core/diagnostics/mismatch-severity.ts'
import type { InputShape, Operation, Variable } from '../../../../core/model/operation.ts'
import type { Type } from '../../../../core/model/type.ts'
import { describe, members } from '../../../../language/types/relate.ts'
import type { QueryArgument } from '../../walk/query-argument.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports an argument that certainly has another type than its variable. The site's settings decide how severe this is. */
export function checkVariableType(
  walk: Walk,
  { name: query }: Operation,
  variable: Variable,
  { span, type, fraction }: QueryArgument,
): void {
  const isFraction = fraction !== null && isWhole(variable.shape)
  const severity = fits(type, variable.shape) && !isFraction ? null : mismatchSeverity(walk.env.site)
  if (severity === null) return
  const found = isFraction ? `the number ${fraction}` : describeArgument(type)
  const diagnostic = variableType(span, query, variable.name, variable.type, found, variable.span)
  walk.report({ ...diagnostic, severity: walk.flow.inTry ? 'warning' : severity })
}

/** Returns whether a variable takes only whole numbers. */
function isWhole(shape: InputShape): boolean {
  return shape.kind === 'list' ? isWhole(shape.element) : shape.kind === 'integer'
}

function describeArgument(type: Type): string {
  const only = type.kind === 'string' ? type.literal : undefined
  return only === undefined ? describe(type) : `text ${JSON.stringify(only)}`
}

/** Returns whether a variable may take a value of the type. An unknown type fits, and nil counts as absent. */
function fits(type: Type, shape: InputShape): boolean {
  const types = members(type).filter((member) => member.kind !== 'nil')
  return types.length === 0 || types.some((member) => fitsOne(member, shape))
}

function fitsOne(type: Type, shape: InputShape): boolean {
  if (type.kind === 'unknown' || type.kind === 'never' || shape.kind === 'any') return true
  // Other values are converted to text: a hash or a list to JSON.
  if (shape.kind === 'text') return true
  if (shape.kind === 'list') return fits(type.kind === 'list' ? type.element : type, shape.element)
  if (type.kind === 'list') return false
  if (shape.kind === 'object') return fitsObject(type, shape)
  if (type.kind === 'record' || type.kind === 'hash' || type.kind === 'range') return false
  return fitsScalar(type, shape)
}

function fitsObject(type: Type, shape: Extract<InputShape, { kind: 'object' }>): boolean {
  if (type.kind === 'hash') return true
  if (type.kind !== 'record') return false
  const fields = shape.fields()
  for (const [name, field] of type.fields) {
    const expected = fields.get(name)
    if (expected === undefined || !fits(field, expected)) return false
  }
  return true
}

const NUMBER_TEXT = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i

/** Returns whether a scalar fits. Numbers and texts are converted to each other if possible; an empty text counts as absent. */
function fitsScalar(type: Type, shape: InputShape): boolean {
  const literal = type.kind === 'string' ? type.literal : undefined
  switch (shape.kind) {
    case 'id':
      return type.kind !== 'boolean'
    case 'integer':
    case 'float':
      if (type.kind === 'boolean') return false
      if (literal === undefined || literal === '') return true
      return NUMBER_TEXT.test(literal) && (shape.kind === 'float' || Number.isInteger(Number(literal)))
    case 'boolean':
      // 1 and 0 are converted to true and false.
      if (type.kind === 'float') return false
      return literal === undefined || ['', 'true', 'false', 't', 'f'].includes(literal)
    case 'enum':
      if (type.kind !== 'string') return false
      // `desc` is converted to `DESC`.
      if (literal === undefined || literal === '') return true
      return [literal, literal.toUpperCase(), literal.toLowerCase()].some((text) => shape.values.includes(text))
    default:
      return true
  }
}

export const variableType = message(
  'variable-type',
  'error',
  'WS02',
  (query: string | null, name: string, expected: string, found: string, declarationSpan: Span) => ({
    subject: { kind: 'query variable', name, of: query, type: found },
    text: `The variable ${quote(name)}${query === null ? '' : ` of the query ${quote(query)}`} is ${quote(expected)}, but this is ${withArticle(found)}.`,
    related: [{ span: declarationSpan, message: 'the variable is declared here' }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books', limit: 'many' %}{{ g.records }}` }),
    right: bookSite({ page: `{% graphql g = 'books', limit: 5 %}{{ g.records }}` }),
  },
)
