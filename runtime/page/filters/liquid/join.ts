/** `join` of base Liquid, which inspects hashes. */
import { inspected, str } from '../../values/text.ts'
import { joinWith } from '../array/join-items.ts'
import type { List, Textual } from '../types.ts'

export const dialect = 'liquid'

/** The elements as text with `glue` between them. Nil is empty text. */
export function join(input: List, glue: Textual = ' '): string {
  return joinWith(input, glue, (item) => str(inspected(item)))
}
