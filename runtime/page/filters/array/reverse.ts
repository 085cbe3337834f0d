/** `reverse`: a list in reverse order. */
import { items } from '../../values/items.ts'
import type { List } from '../types.ts'

/** The elements in reverse order. A text is treated as a list of one element. */
export function reverse(input: List): readonly unknown[] {
  return items(input).toReversed()
}
