/** `array_delete`: a list without a value. */
import { arrayArgument } from '../arguments.ts'
import { eq } from '../../values/compare.ts'
import type { List, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * A new array of the elements that do not equal the value.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_delete(input: List, element: Value): readonly unknown[] {
  return arrayArgument(input, 'array_delete').filter((item) => !eq(item, element))
}
