/** Output of sites that sanitise what they print, in place of escaping it. */
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

/** The same inside the value of an HTML attribute, which holds no elements: what ends it must not be printed, so it is escaped. */
export function cleanAttribute(v: unknown): string {
  return escAttribute(v)
}
