/** Rules for types of values: how they compare, and the results of filters. */
import type { Code } from '../../core/model/code.ts'
import type { FilterParameter, FilterSignature } from '../../core/model/signature.ts'
import type { Type } from '../../core/model/type.ts'
import { withoutNil, isNumberValue, TEXT_VALUE, textThrough, type ValueType } from '../../core/model/value-type.ts'
import { overloadResult } from './overloads.ts'
import { definitePart, resultValue, valueOf } from './value-types.ts'

/** Returns whether two values are equal if and only if JavaScript's `===` is true for them. */
export function areIdentical(a: ValueType, b: ValueType): boolean {
  // A text is never nil.
  if (withoutNil(a).kind === 'text' && withoutNil(b).kind === 'text') return a.kind === 'text' || b.kind === 'text'
  return a.kind === 'count' && b.kind === 'count'
}

/** Filters that compute with numbers. */
export const ARITHMETIC_FILTERS: ReadonlySet<string> = new Set([
  ...['plus', 'minus', 'times', 'divided_by', 'modulo', 'abs', 'ceil', 'floor', 'round', 'at_least', 'at_most'],
])

/** Returns whether the kind of a value is known. */
export function isKnown({ kind }: ValueType): boolean {
  return kind !== 'unknown' && kind !== 'variable'
}

/** Returns whether a value definitely fits a parameter, so that the filter does not convert it. */
export function fitsParameter(type: ValueType, parameter: FilterParameter | null): boolean {
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

/** Filters that join texts and add no other text. */
export const JOINING_FILTERS: ReadonlySet<string> = new Set(['append', 'prepend'])

/**
 * Returns the result type of a filter: the declared one, or a more precise one from the types of its arguments.
 * @param knownType the type of the result wherever it is used, if known
 */
export function resultOf(
  signature: FilterSignature,
  args: readonly Code[],
  knownType: () => Type | undefined,
): ValueType {
  if (!JOINING_FILTERS.has(signature.name)) {
    const result = overloadResult(signature, args)
    if (result === null) return resultValue(signature)
    return result.isElement ? definitePart(result.type, knownType()) : result.type
  }
  const types = args.map(valueOf)
  return types.every(hasNoMarkup) ? textThrough(...types) : TEXT_VALUE
}

function hasNoMarkup(type: ValueType): boolean {
  if (type.kind === 'text') return !type.markup
  return isNumberValue(type) || type.kind === 'boolean' || type.kind === 'variable'
}
