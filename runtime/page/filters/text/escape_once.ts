/** `escape_once`: a text for HTML that may already hold entities. */
import { checkTextLength } from '../../values/limits.ts'
import { escapeHtml, Safe, str } from '../../values/text.ts'
import { chargeText } from '../../values/meter.ts'
import type { Textual } from '../types.ts'

/** No entity has a longer name; the limit keeps the pattern linear. */
const SIGNS = /["'<>]|&(?!(?:[a-zA-Z]{1,40}|#\d{1,10});)/g

/**
 * The text with `<`, `>`, quotes and such `&` as begin no entity written as entities.
 * A result that is too long ends the render.
 */
export function escape_once(input: Textual): Safe {
  const text = str(input)
  chargeText(16 * text.length)
  return new Safe(checkTextLength(text.replace(SIGNS, escapeHtml)))
}
