/** Rules for types of values: how they compare, and the results of filters. */
import type { Code } from '../../core/model/code.ts'
import type { FilterParameter, FilterSignature, FilterOverload, OverloadType } from '../../core/model/signature.ts'
import type { Type } from '../../core/model/type.ts'
import {
  withoutNil,
  isNumberValue,
  TEXT_VALUE,
  PLAIN_VALUE,
  type ValueType,
  joinValues,
  optional,
  UNKNOWN_VALUE,
} from '../../core/model/value-type.ts'
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
  return kind !== 'unknown'
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
  return types.every(hasNoMarkup) ? PLAIN_VALUE : TEXT_VALUE
}

function hasNoMarkup(type: ValueType): boolean {
  if (type.kind === 'text') return !type.markup
  return isNumberValue(type) || type.kind === 'boolean'
}

// ---- overloads of filters ------------------------------------------------------------------------------------------

/** The result of an overload. */
interface OverloadResult {
  readonly type: ValueType
  /** Whether a list contained the result, so that a write to the list may have changed its type. */
  readonly isElement: boolean
}

type Bindings = Map<string, { readonly type: ValueType; readonly isElement: boolean }>

/** For literals, TypeScript infers types of a single value. */
const LITERALS: ReadonlySet<Code['kind']> = new Set(['string', 'number', 'boolean', 'template'] as const)

/** Returns the result of the first overload that accepts the arguments; null if there is none. */
function overloadResult({ overloads = [] }: FilterSignature, args: readonly Code[]): OverloadResult | null {
  for (const overload of overloads) {
    const bindings: Bindings = new Map()
    if (!accepts(overload, args, bindings)) continue
    const isElement = [...bindings.values()].some((each) => each.isElement)
    return { type: resultType(overload.result, bindings), isElement }
  }
  return null
}

function accepts({ parameters, required }: FilterOverload, args: readonly Code[], bindings: Bindings): boolean {
  if (args.length < required || args.length > parameters.length) return false
  return args.every((code, at) => {
    const pattern = parameters[at] ?? UNKNOWN_VALUE
    // The type of a literal input would be a part of the result.
    if (at === 0 && pattern.kind === 'variable' && LITERALS.has(code.kind)) return false
    return matches(pattern, valueOf(code), bindings, false)
  })
}

function matches(pattern: OverloadType, type: ValueType, bindings: Bindings, isElement: boolean): boolean {
  switch (pattern.kind) {
    case 'unknown':
      return true
    case 'variable':
      if (type.kind === 'unknown' || type.kind === 'nil') return false
      bindings.set(pattern.name, { type, isElement })
      return true
    case 'optional':
      return matches(pattern.inner, withoutNil(type), bindings, isElement)
    case 'list':
      if (type.kind !== 'list' || type.element === undefined) return false
      return matches(pattern.element ?? UNKNOWN_VALUE, type.element, bindings, true)
    default:
      return pattern.kind === type.kind
  }
}

function resultType(pattern: OverloadType, bindings: Bindings): ValueType {
  switch (pattern.kind) {
    case 'variable':
      return bindings.get(pattern.name)?.type ?? UNKNOWN_VALUE
    case 'present':
      return withoutNil(resultType(pattern.of, bindings))
    case 'either':
      return pattern.of.map((each) => resultType(each, bindings)).reduce(joinValues)
    case 'optional':
      return optional(resultType(pattern.inner, bindings))
    case 'list':
      return { kind: 'list', element: resultType(pattern.element ?? UNKNOWN_VALUE, bindings) }
    default:
      return pattern
  }
}
