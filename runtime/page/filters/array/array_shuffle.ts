/** `array_shuffle`: a list in random order. */
import { arrayArgument } from '../arguments.ts'
import type { List, Render } from '../types.ts'

export const aliases = ['shuffle_array'] as const
export const dialect = 'platform'

/** The number of random numbers that are fetched together. Each fetch is a system call, and a random source may refuse larger fetches. */
const FETCH_SIZE = 16_384

/**
 * The elements in random order.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_shuffle(r: Render, input: List): readonly unknown[] {
  const list = [...arrayArgument(input, 'array_shuffle')]
  let bytes: Uint8Array = new Uint8Array()
  let at = 0
  for (let lastIndex = list.length - 1; lastIndex > 0; lastIndex--) {
    if (at === bytes.length) {
      bytes = r.services.random.bytes(4 * Math.min(lastIndex, FETCH_SIZE))
      at = 0
    }
    const swapIndex = Math.floor(randomFraction(bytes, at) * (lastIndex + 1))
    at += 4
    const item = list[lastIndex]
    list[lastIndex] = list[swapIndex]
    list[swapIndex] = item
  }
  return list
}

/** Returns a number from 0 (inclusive) to 1 (exclusive), from the four bytes at an offset. */
function randomFraction(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4)
  return (((a << 24) >>> 0) + (b << 16) + (c << 8) + d) / 4294967296
}
