/** How many values filters take. */
import type { FilterSignature } from '../../core/model/signature.ts'

/** How many values a filter takes, the piped one and the group of named arguments counted as one each. */
export function arity({ parameters, rest, named }: FilterSignature): { readonly least: number; readonly most: number } {
  return {
    least: requiredCount(parameters) + (named?.required === true ? 1 : 0),
    most: rest !== null ? Number.POSITIVE_INFINITY : parameters.length + (named === null ? 0 : 1),
  }
}

/** How many of them have to be there, of those without names. */
export function requiredCount(parameters: FilterSignature['parameters']): number {
  let count = 0
  for (const { optional } of parameters) if (!optional) count++
  return count
}
