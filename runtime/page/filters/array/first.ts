/** `first`: the first element of a list, or the first character of a text. */
import { first as firstOf } from '../../values/access.ts'
import type { Value } from '../types.ts'

/** The first element, pair of a hash, or character; nil when there is none. */
export function first<Item>(input: readonly Item[] | null | undefined): Item | null
export function first(input: string): string
export function first(input: Value): unknown
export function first(input: Value): unknown {
  return firstOf(input)
}
