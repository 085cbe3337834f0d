/** Counts the arguments of filters. */
import type { FilterSignature } from '../../core/model/signature.ts'

/** Returns how many values a filter accepts. The piped value and the group of named arguments count as one each. */
export function argumentRange({ parameters, rest, named }: FilterSignature): {
  readonly minimum: number
  readonly maximum: number
} {
  return {
    minimum: requiredCount(parameters) + (named?.required === true ? 1 : 0),
    maximum: rest !== null ? Number.POSITIVE_INFINITY : parameters.length + (named === null ? 0 : 1),
  }
}

/** Returns how many positional values are required. */
export function requiredCount(parameters: FilterSignature['parameters']): number {
  let count = 0
  for (const { optional } of parameters) if (!optional) count++
  return count
}
