/** `array_detect`: the first hash that has certain values. */
import { arrayArgument } from '../arguments.ts'
import type { List, NamedArguments, Value } from '../types.ts'
import { createItemTest } from './conditions.ts'

export const aliases = ['detect'] as const
export const dialect = 'platform'

/**
 * The first element whose fields meet all conditions, or nil. Without conditions, the first element.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_detect(input: List, options: NamedArguments<{ [field: string]: Value }> = null): unknown {
  return arrayArgument(input, 'array_detect').find(createItemTest(options, 'array_detect')) ?? null
}
