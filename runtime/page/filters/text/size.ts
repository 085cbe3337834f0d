/** `size`: how many characters, elements or pairs a value has. */
import { size as sizeOf } from '../../values/access.ts'
import type { Value } from '../types.ts'

/** The number of characters, elements or pairs; 8 for an integer, 0 for anything else. */
export function size(input: Value): number {
  return Array.isArray(input) ? input.length : (sizeOf(input) ?? 0)
}
