/** Output functions of sites that sanitize their output instead of escaping it. */
import { BoxedText } from '../../values/boxed.ts'
import { esc, escAttribute, Safe, str } from '../../values/text.ts'
import { DEFAULT_RULES, sanitized } from './sanitizing.ts'

const MARKUP = /[<>&]/

/**
 * Output in HTML: of text stays what the default allow-list names. Safe text, JSON and everything else are as `esc` prints them.
 * @throws ArgumentFault for elements nested too deep
 */
export function clean(v: unknown): string {
  if (typeof v !== 'string' && (!(v instanceof BoxedText) || v instanceof Safe)) return esc(v)
  const text = str(v)
  return MARKUP.test(text) ? sanitized(text, DEFAULT_RULES) : text
}

/** The same inside an HTML attribute, which contains no elements: characters that would end it are escaped. */
export function cleanAttribute(v: unknown): string {
  return escAttribute(v)
}
