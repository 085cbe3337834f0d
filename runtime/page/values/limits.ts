/** Limits of values: what filters check before, or as soon as, they have grown something. */
import { ArgumentFault, LimitFault } from '../fault.ts'

/** UTF-16 units of one text. */
export const MAX_TEXT = 50_000_000

/** Elements that one filter visits; shared parts count each time they are met. */
export const MAX_ITEMS = 2_000_000

/** Arrays and hashes inside each other. */
export const MAX_DEPTH = 100

export function tooLong(): LimitFault {
  return new LimitFault(`a text grew beyond ${MAX_TEXT} characters`, 'output')
}

/** Data that nests too deep, or in itself: an error of the data, so that `try` may answer it. */
export function tooDeep(): ArgumentFault {
  return new ArgumentFault('Nesting too deep')
}

export function tooMany(): LimitFault {
  return new LimitFault(`more than ${MAX_ITEMS} elements`, 'steps')
}

/** The text itself. @throws LimitFault when it is too long */
export function bounded(text: string): string {
  if (text.length > MAX_TEXT) throw tooLong()
  return text
}
