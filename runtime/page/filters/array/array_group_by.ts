/** `array_group_by`: a list as a hash of lists. */
import { internKey } from '../../values/hash.ts'
import { arrayArgument } from '../arguments.ts'
import { type HashValue, isHash, setKey } from '../../values/access.ts'
import { str } from '../../values/text.ts'
import type { List, Textual } from '../types.ts'
import { isPlainFields } from '../../values/fields.ts'
import { readKey } from './property.ts'

export const aliases = ['group_by'] as const
export const dialect = 'platform'

/**
 * A hash from each value of a field to its elements. The values are in the order of their first occurrence.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_group_by(input: List, property: Textual): Record<string, unknown> {
  const name = internKey(str(property))
  const lists = new Map<string, unknown[]>()
  for (const item of arrayArgument(input, 'array_group_by')) {
    const key = str(
      isPlainFields(item) ? readKey(item, name) : isHash(item) && Object.hasOwn(item, name) ? item[name] : null,
    )
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [item])
    else list.push(item)
  }
  const groups: HashValue = {}
  for (const [key, list] of lists) setKey(groups, key, list)
  return groups
}
