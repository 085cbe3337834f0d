/** `array_include`: whether a list includes a value. */
import { arrayArgument } from '../arguments.ts'
import { listIncludes } from '../../values/compare.ts'
import type { List, Value } from '../types.ts'

export const aliases = ['is_included_in_array'] as const
export const deprecated = 'array_any'
export const dialect = 'platform'

/**
 * Whether some element equals the item.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_include(input: List, item: Value): boolean {
  return listIncludes(arrayArgument(input, 'array_include'), item)
}
