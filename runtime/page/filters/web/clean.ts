/** Output functions of sites that sanitize their output instead of escaping it. */
import { BoxedText } from '../../values/boxed.ts'
import { esc, escAttribute, Safe, str } from '../../values/text.ts'
import { DEFAULT_RULES, sanitizeMarkup } from './sanitize-markup.ts'

const MARKUP = /[<>&]/

/**
 * Prints a value in HTML: text is reduced to the default allow-list. Safe text, JSON and other values are printed as
 * by `esc`.
 * @throws ArgumentFault for elements nested too deep
 */
export function clean(value: unknown): string {
  if (typeof value !== 'string' && (!(value instanceof BoxedText) || value instanceof Safe)) return esc(value)
  const text = str(value)
  return MARKUP.test(text) ? sanitizeMarkup(text, DEFAULT_RULES) : text
}

/** Prints a value in an HTML attribute, which contains no elements. Characters that would end it are escaped. */
export function cleanAttribute(value: unknown): string {
  return escAttribute(value)
}
