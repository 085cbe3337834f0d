/** Limits of values, which filters check before or while they create large values. */
import { ArgumentFault, LimitFault } from '../fault.ts'

/** Maximum length of a text in UTF-16 units. */
export const MAX_TEXT = 50_000_000

/** Maximum number of elements that a filter visits. A part that is used several times counts each time. */
export const MAX_ITEMS = 2_000_000

/** Maximum nesting of arrays and hashes. */
export const MAX_DEPTH = 100

export function tooLong(): LimitFault {
  return new LimitFault(`a text grew beyond ${MAX_TEXT} characters`, 'output')
}

/**
 * Returns the fault for data that is nested too deep, or contains itself. It is an error of the data, so `try` can
 * catch it.
 */
export function tooDeep(): ArgumentFault {
  return new ArgumentFault('Nesting too deep')
}

export function tooMany(): LimitFault {
  return new LimitFault(`more than ${MAX_ITEMS} elements`, 'steps')
}

/**
 * Concatenates two texts.
 * @throws LimitFault when the result is too long
 */
export function joinTexts(first: string, second: string): string {
  const joined = first + second
  return joined.length > MAX_TEXT ? checkTextLength(joined) : joined
}

/**
 * Returns the text.
 * @throws LimitFault when it is too long
 */
export function checkTextLength(text: string): string {
  if (text.length > MAX_TEXT) throw tooLong()
  return text
}
