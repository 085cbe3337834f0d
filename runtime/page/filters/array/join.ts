/** `join`: the elements of a list as one text. */
import { str } from '../../values/text.ts'
import type { List, Textual } from '../types.ts'
import { joinWith } from './join-items.ts'

export const dialect = 'platform'

/** The elements as text with `glue` between them. Nil is empty text. */
export function join(input: List, glue: Textual = ' '): string {
  return joinWith(input, glue, str)
}
