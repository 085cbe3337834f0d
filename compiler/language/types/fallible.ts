/** Checks whether the evaluation of an expression can raise a fault. */
import type { Expression, FilterCall } from '../../core/tree/ast.ts'
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
  const isFalliblePart = (each: Expression) => isFallible(each, registry)
  switch (expression.kind) {
    case 'literal':
      return false
    case 'lookup':
      if (registry.strictVariables) return true
      return expression.path.some((accessor) => accessor.kind === 'index' && isFalliblePart(accessor.value))
    case 'range':
      return [expression.from, expression.to].some((boundExpression) => boundExpression.kind !== 'literal')
    case 'interpolation':
      return expression.parts.some((part) => typeof part !== 'string' && isFalliblePart(part))
    case 'hash':
      return expression.entries.some(
        ({ key, value }) => (key.kind === 'computed' && isFalliblePart(key.value)) || isFalliblePart(value),
      )
    case 'array':
      return expression.items.some(isFalliblePart)
    case 'logical':
      return isFalliblePart(expression.left) || isFalliblePart(expression.right)
    case 'comparison':
      // Only these operators accept all types.
      if (expression.operator !== '==' && expression.operator !== '!=' && expression.operator !== 'contains')
        return true
      return isFalliblePart(expression.left) || isFalliblePart(expression.right)
    case 'filtered':
      return isFalliblePart(expression.input) || expression.filters.some((filter) => isFallibleFilter(filter, registry))
  }
}

function isFallibleFilter(filter: FilterCall, registry: FilterRegistry): boolean {
  const signature = registry.filters.get(filter.name.name)
  // Base Liquid returns the value unchanged for an unknown filter.
  if (signature === undefined) return registry.dialect === 'platform' || registry.strictFilters
  if (signature.fallible || signature.suspends || !acceptsArity(filter, signature)) return true
  return [...filter.positional, ...filter.named.map(({ value }) => value)].some((each) => isFallible(each, registry))
}

/** Returns whether a filter accepts the number of arguments. The piped value and the group of named arguments count as one each. */
export function acceptsArity(call: FilterCall, { parameters, rest, named }: FilterSignature): boolean {
  const argumentCount = 1 + call.positional.length + (call.named.length > 0 ? 1 : 0)
  const minimum = parameters.filter(({ optional }) => !optional).length + (named?.required === true ? 1 : 0)
  return argumentCount >= minimum && (rest !== null || argumentCount <= parameters.length + (named === null ? 0 : 1))
}
