/** `array_any`: whether a list includes a value. */
import { arrayArgument } from '../arguments.ts'
import { listIncludes } from '../../values/compare.ts'
import type { List, Value } from '../types.ts'

export const aliases = ['any'] as const
export const dialect = 'platform'

/**
 * Whether some element equals the query. The default query is the text `true`.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_any(input: List = null, query: Value = 'true'): boolean {
  return listIncludes(arrayArgument(input, 'array_any'), query)
}
