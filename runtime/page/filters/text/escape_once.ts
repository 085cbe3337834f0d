/** `escape_once`: a text for HTML that may already contain entities. */
import { checkTextLength } from '../../values/value-limits.ts'
import { escapeHtml, Safe, str } from '../../values/text.ts'
import { chargeText } from '../../values/meter.ts'
import type { Textual } from '../types.ts'

/** Matches entities. The lengths are limited, so that the pattern takes linear time; no entity has a longer name. */
const UNESCAPED = /["'<>]|&(?!(?:[a-zA-Z]{1,40}|#\d{1,10});)/g

/**
 * The text with `<`, `>` and quotes as entities, and each `&` that does not begin an entity.
 * A result that is too long ends the render.
 */
export function escape_once(input: Textual): Safe {
  const text = str(input)
  chargeText(16 * text.length)
  return new Safe(checkTextLength(text.replace(UNESCAPED, escapeHtml)))
}
