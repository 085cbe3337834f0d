/** `array_sort_by`: a list of hashes sorted by one property. */
import { arrayArgument } from '../arguments.ts'
import { at, isHash } from '../../values/access.ts'
import { compareItems } from '../../values/compare.ts'
import type { List, Value } from '../types.ts'
import { toPropertyName } from './property.ts'

export const aliases = ['sort_by'] as const
export const dialect = 'platform'

/**
 * The elements in ascending order of a property; nil comes last.
 * @throws ArgumentFault when the input is neither an array nor nil
 * @throws ArgumentFault `cannot sort values of incompatible types`
 */
export function array_sort_by(input: List, property: Value): readonly unknown[] {
  const name = toPropertyName(property)
  const keyed = arrayArgument(input, 'array_sort_by').map((item) => ({
    item,
    key: isHash(item) || Array.isArray(item) ? at(item, name) : null,
  }))
  return keyed.sort((a, b) => compareItems(a.key, b.key)).map(({ item }) => item)
}
