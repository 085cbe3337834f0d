/** `array_compact`: a list without blank elements. */
import { internKey } from '../../values/hash.ts'
import { arrayArgument } from '../arguments.ts'
import { get, isHash } from '../../values/access.ts'
import { str } from '../../values/text.ts'
import { isBlank } from '../../values/truth.ts'
import type { List, Textual } from '../types.ts'

export const aliases = ['compact'] as const
export const dialect = 'platform'

/**
 * The elements that are not blank, or with a property, the hashes whose property is not blank.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_compact(input: List, property: Textual = null): readonly unknown[] {
  const list = arrayArgument(input, 'array_compact')
  if (property === null || property === undefined) return list.filter((item) => !isBlank(item))
  const key = internKey(str(property))
  return list.filter((item) => isHash(item) && !isBlank(Object.hasOwn(item, key) ? get(item, key) : null))
}
