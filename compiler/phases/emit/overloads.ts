/** Chooses the overload of a filter for the types of its arguments. TypeScript chooses the same one, or one with a narrower result. */
import type { Code } from '../../core/model/code.ts'
import type { FilterOverload, FilterSignature, OverloadType } from '../../core/model/signature.ts'
import { joinValues, optional, UNKNOWN_VALUE, type ValueType, withoutNil } from '../../core/model/value-type.ts'
import { valueOf } from './value-types.ts'

/** The result of an overload. */
export interface OverloadResult {
  readonly type: ValueType
  /** Whether a list contained the result, so that a write to the list may have changed its type. */
  readonly isElement: boolean
}

type Bindings = Map<string, { readonly type: ValueType; readonly isElement: boolean }>

/** For literals, TypeScript infers types of a single value. */
const LITERALS: ReadonlySet<Code['kind']> = new Set(['string', 'number', 'boolean', 'template'] as const)

/** Returns the result of the first overload that accepts the arguments; null if there is none. */
export function overloadResult({ overloads = [] }: FilterSignature, args: readonly Code[]): OverloadResult | null {
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
      if (type.kind === 'unknown' || type.kind === 'variable' || type.kind === 'nil') return false
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
