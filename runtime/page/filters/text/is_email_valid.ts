/** `is_email_valid`: whether a text is an e-mail address. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

export const dialect = 'platform'

/** Whether the text is an e-mail address. Blank text is not. */
export function is_email_valid(input: Textual): boolean {
  const text = str(input)
  // No address is longer. The limit keeps the pattern fast.
  return text.length <= 254 && ADDRESS.test(text)
}

const ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i
