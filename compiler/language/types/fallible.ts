/** Checks whether the evaluation of an expression can raise a fault. */
import type { Expression, FilterCall } from '../../core/tree/ast.ts'
import { argumentsOf, childrenOf } from '../../core/tree/expressions.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import type { FilterSignature } from '../../core/model/signature.ts'

export interface FilterRegistry {
  readonly dialect: Dialect
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** A missing variable is an error. */
  readonly strictVariables: boolean
  /** A filter that base Liquid does not have is an error. */
  readonly strictFilters: boolean
}

/** Returns whether the evaluation of the expression can raise a fault. */
export function isFallible(expression: Expression, registry: FilterRegistry): boolean {
  switch (expression.kind) {
    case 'lookup':
      if (registry.strictVariables) return true
      break
    case 'range':
      return [expression.from, expression.to].some(({ kind }) => kind !== 'literal')
    case 'comparison':
      // Only these operators accept all types.
      if (expression.operator !== '==' && expression.operator !== '!=' && expression.operator !== 'contains')
        return true
      break
    case 'filtered':
      return (
        isFallible(expression.input, registry) ||
        expression.filters.some((filter) => isFallibleFilter(filter, registry))
      )
  }
  return childrenOf(expression).some((each) => isFallible(each, registry))
}

function isFallibleFilter(filter: FilterCall, registry: FilterRegistry): boolean {
  const signature = registry.filters.get(filter.name.name)
  // Base Liquid returns the value unchanged for an unknown filter.
  if (signature === undefined) return registry.dialect === 'platform' || registry.strictFilters
  if (signature.fallible || signature.suspends || !acceptsArity(filter, signature)) return true
  return argumentsOf(filter).some((each) => isFallible(each, registry))
}

/** Returns whether a filter accepts the number of arguments. The piped value and the group of named arguments count as one each. */
export function acceptsArity(call: FilterCall, { parameters, rest, named }: FilterSignature): boolean {
  const argumentCount = 1 + call.positional.length + (call.named.length > 0 ? 1 : 0)
  const minimum = parameters.filter(({ optional }) => !optional).length + (named?.required === true ? 1 : 0)
  return argumentCount >= minimum && (rest !== null || argumentCount <= parameters.length + (named === null ? 0 : 1))
}
