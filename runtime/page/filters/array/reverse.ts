/** `reverse`: a list in reverse order. */
import { items } from '../../values/items.ts'
import type { List } from '../types.ts'

/** The elements in reverse order; a text is a list of itself. */
export function reverse(input: List): readonly unknown[] {
  return items(input).toReversed()
}
