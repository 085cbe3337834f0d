/** What follows from the types of values: how they compare, and what filters make of them. */
import type { Code } from '../../core/model/code.ts'
import type { FilterParameter, FilterSignature } from '../../core/model/signature.ts'
import { withoutNil, isNumberValue, TEXT_VALUE, textThrough, type ValueType } from '../../core/model/value-type.ts'
import { resultValue, valueOf } from './value-types.ts'

/** Whether two values are equal only where JavaScript calls them identical. */
export function areIdentical(a: ValueType, b: ValueType): boolean {
  // A text is never nil.
  if (withoutNil(a).kind === 'text' && withoutNil(b).kind === 'text') return a.kind === 'text' || b.kind === 'text'
  return a.kind === 'count' && b.kind === 'count'
}

/** Filters that compute with numbers. */
export const ARITHMETIC: ReadonlySet<string> = new Set([
  ...['plus', 'minus', 'times', 'divided_by', 'modulo', 'abs', 'ceil', 'floor', 'round', 'at_least', 'at_most'],
])

/** Whether it is known of what kind a value is. */
export function isKnown({ kind }: ValueType): boolean {
  return kind !== 'unknown' && kind !== 'variable'
}

/** Whether a value is surely what a parameter takes, so that the filter converts nothing. */
export function suits(type: ValueType, parameter: FilterParameter | null): boolean {
  switch (parameter?.kind) {
    case 'text':
      return type.kind === 'text' || type.kind === 'boolean' || isNumberValue(type)
    case 'number':
      return isNumberValue(type)
    case 'list':
      return type.kind === 'list'
    case 'hash':
      return type.kind === 'fields'
    case 'boolean':
      return type.kind === 'boolean'
    default:
      return isKnown(type)
  }
}

/** Filters that put texts together and add none of their own. */
export const JOINING: ReadonlySet<string> = new Set(['append', 'prepend'])

/** What a filter gives: as its declaration says, or more where its arguments tell it. */
export function resultOf(signature: FilterSignature, args: readonly Code[]): ValueType {
  if (!JOINING.has(signature.name)) return resultValue(signature)
  const given = args.map(valueOf)
  return given.every(holdsNoMarkup) ? textThrough(...given) : TEXT_VALUE
}

function holdsNoMarkup(type: ValueType): boolean {
  if (type.kind === 'text') return !type.markup
  return isNumberValue(type) || type.kind === 'boolean' || type.kind === 'variable'
}
