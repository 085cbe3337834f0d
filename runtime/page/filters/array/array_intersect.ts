/** `array_intersect`: what two lists share. */
import { arrayArgument } from '../options.ts'
import type { List } from '../types.ts'
import { distinct, identity } from './distinct.ts'
import { keysOf } from './sets.ts'

export const aliases = ['intersection'] as const
export const dialect = 'platform'

/**
 * The elements that both arrays hold, each once, in the order of the first.
 * @throws ArgumentFault when one of them is neither an array nor nil
 */
export function array_intersect(input: List, other: List): readonly unknown[] {
  const list = arrayArgument(input, 'array_intersect')
  const shared = keysOf(other, 'array_intersect')
  return distinct(list, (item) => item).filter((item) => shared.has(identity(item)))
}
