/** Parses the markups of `include` and `render`. */
import type { Expression, NamedArgument } from '../../../core/tree/ast.ts'
import type { PartialCall } from '../../../language/tags/tag.ts'
import { laxArguments, strictArguments } from './arguments.ts'
import type { Expressions } from './expressions.ts'
import { matchGroups, pattern, type TextSlice } from './text-slices.ts'
import { Refusal, MESSAGES } from './reference-messages.ts'
import type { StrictReader } from './strict-reader.ts'

interface CallMarkup {
  readonly name: Expression
  readonly bindingClause: PartialCall['bindingClause']
  readonly arguments: readonly NamedArgument[]
}

const BINDING = '(?:\\s+(with|for)\\s+((?:FRAGMENT)+))?(?:\\s+as\\s+([\\w-]+))?'
const CALLS = {
  include: pattern(`((?:FRAGMENT)+)${BINDING}`),
  render: pattern(`(QUOTED+)${BINDING}`),
}

export function laxCall(tag: 'include' | 'render', markup: TextSlice, expressions: Expressions): CallMarkup {
  const [, name, how, value, alias] = matchGroups(markup, CALLS[tag]) ?? []
  if (name === undefined) throw new Refusal(MESSAGES[tag])
  const boundExpression = value === undefined ? null : expressions.value(value)
  return makeCall(
    tag,
    expressions,
    { name: expressions.value(name), boundExpression, isForEach: how?.text === 'for', alias: alias ?? null },
    laxArguments(markup, expressions),
  )
}

export function strictCall(tag: 'include' | 'render', reader: StrictReader, expressions: Expressions): CallMarkup {
  const name = tag === 'include' ? reader.parseValue() : expressions.value(reader.consume('string'))
  const isForEach = reader.consumeWord('for')
  const boundExpression = isForEach || reader.consumeWord('with') ? reader.parseValue() : null
  const alias = reader.consumeWord('as') ? reader.consume('id') : null
  const list = strictArguments(reader, expressions, () => {})
  return makeCall(tag, expressions, { name, boundExpression, isForEach, alias }, list)
}

interface Call {
  readonly name: Expression
  readonly boundExpression: Expression | null
  readonly isForEach: boolean
  readonly alias: TextSlice | null
}

/** Builds the call. An `include` without a value binds the variable named after the partial, unless `as` gives another name. */
function makeCall(
  tag: 'include' | 'render',
  expressions: Expressions,
  { name, boundExpression, isForEach, alias }: Call,
  list: readonly NamedArgument[],
): CallMarkup {
  const aliasNode = alias === null ? null : expressions.nameOf(alias)
  const sameNameLookup: Expression = {
    kind: 'lookup',
    name: null,
    path: [{ kind: 'index', value: name, span: name.span }],
    span: name.span,
  }
  const boundValue = boundExpression === null || isNilOrFalse(boundExpression) ? null : boundExpression
  const value = boundValue ?? (tag === 'include' && aliasNode !== null ? sameNameLookup : null)
  return { name, bindingClause: value === null ? null : { value, alias: aliasNode, isForEach }, arguments: list }
}

/** Returns true for the literals `nil` and `false`. As an argument, they count as no value. */
function isNilOrFalse(value: Expression): boolean {
  return (
    value.kind === 'literal' && (value.value.type === 'nil' || (value.value.type === 'boolean' && !value.value.value))
  )
}
