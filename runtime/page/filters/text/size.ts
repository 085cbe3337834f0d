/** `size`: the number of characters, elements or pairs of a value. */
import { size as sizeOf } from '../../values/access.ts'
import type { Value } from '../types.ts'

/** The number of characters, elements or pairs; 8 for an integer, 0 for other values. */
export function size(input: Value): number {
  return Array.isArray(input) ? input.length : (sizeOf(input) ?? 0)
}
