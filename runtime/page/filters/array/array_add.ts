/** `array_add`: a list with one more element at its end. */
import { ArgumentFault } from '../../fault.ts'
import { MAX_ITEMS, tooMany } from '../../values/value-limits.ts'
import { chargeItems } from '../../values/meter.ts'
import type { List, Value } from '../types.ts'

export const aliases = ['add_to_array'] as const
export const dialect = 'platform'

/**
 * A new array: the elements and then the item.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_add(input: List, item: Value): readonly unknown[] {
  if (input === null || input === undefined) return [item]
  if (!Array.isArray(input)) throw new ArgumentFault('array_add filter - first argument must be an array')
  if (input.length >= MAX_ITEMS) throw tooMany()
  chargeItems(input.length)
  // A slice and a push are twice as fast as `concat`.
  const list: unknown[] = input.slice()
  list.push(item)
  return list
}
