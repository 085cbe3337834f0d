/** `array_shuffle`: a list in random order. */
import { arrayArgument } from '../options.ts'
import type { List, Render } from '../types.ts'

export const aliases = ['shuffle_array'] as const
export const dialect = 'platform'

/**
 * The elements in random order.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_shuffle(r: Render, input: List): readonly unknown[] {
  const list = [...arrayArgument(input, 'array_shuffle')]
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random(r) * (last + 1))
    const item = list[last]
    list[last] = list[other]
    list[other] = item
  }
  return list
}

/** A number from 0 up to but not including 1. */
function random(r: Render): number {
  const [a = 0, b = 0, c = 0, d = 0] = r.services.random.bytes(4)
  return (((a << 24) >>> 0) + (b << 16) + (c << 8) + d) / 4294967296
}
