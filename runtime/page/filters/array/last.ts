/** `last`: the last element of a list, or the last character of a text. */
import { last as lastOf } from '../../values/access.ts'
import type { Value } from '../types.ts'

/** The last element or character; nil when there is none, and for a hash. */
export function last<Item>(input: readonly Item[] | null | undefined): Item | null
export function last(input: string): string
export function last(input: Value): unknown
export function last(input: Value): unknown {
  return lastOf(input)
}
