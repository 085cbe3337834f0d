/**
 * Names places by the words there, because results that are kept about one file must not contain offsets in another file: those change
 * with every line that is added above. The offsets are computed when a place is shown.
 */
import type { Mark, Span } from './span.ts'

/** The mark of shapes, which are hash literals and selections of queries: their opening brace. */
export const BRACE = '{'
/** Maximum length of the words of other places. */
const MAX_LENGTH = 60

/**
 * Returns a span that counts from words in its file. Edits elsewhere in the file do not change it.
 * @param text the text of the file
 * @param words the words to count from, at or after the start of the span; by default, those at its start
 */
export function markedSpan(span: Span, text: string, words: string | null = null): Span {
  const { file, start, end, mark } = span
  // The start of a file needs no mark.
  if (mark !== undefined || end === 0) return span
  const found = (words === null ? null : findMark(words, text, start)) ?? findOwnMark(span, text)
  if (found === null) return span
  const { at, ...ownMark } = found
  return { file, start: start - at, end: end - at, mark: ownMark }
}

/** Returns the span with offsets from the start of the file, or the start of the file if its words are not there any more. */
export function unmarkedSpan(span: Span, text: string): Span {
  const { file, start, end, mark } = span
  if (mark === undefined) return span
  let nth = 0
  for (const at of occurrences(mark.words, text))
    if (nth++ === mark.nth) return { file, start: at + start, end: at + end }
  return { file, start: 0, end: 0 }
}

/** Returns the mark of the words at the start of a span, completed to whole words. */
function findOwnMark({ start, end }: Span, text: string): FoundMark | null {
  let from = start
  let to = Math.max(start + 1, Math.min(end, start + MAX_LENGTH))
  while (isInWord(text, from)) from--
  while (isInWord(text, to)) to++
  return findMark(text.slice(from, to), text, from)
}

/** A mark with the offset of its words. */
interface FoundMark extends Mark {
  readonly at: number
}

/** Returns the first occurrence at or after an offset; null if there is none. */
function findMark(words: string, text: string, from: number): FoundMark | null {
  let nth = 0
  for (const at of occurrences(words, text)) {
    if (at >= from) return { words, nth, at }
    nth++
  }
  return null
}

/** Yields the offsets of words in a text. Parts of longer words do not count, nor do the braces of tags and outputs. */
function* occurrences(words: string, text: string): Generator<number> {
  if (words === '') return
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const after = at + words.length
    if (words === BRACE && (text[after] === '{' || text[after] === '%')) at++
    else if (!isInWord(text, at) && !isInWord(text, after)) yield at
  }
}

/** Returns whether an offset is between two characters of a word. */
function isInWord(text: string, at: number): boolean {
  return at > 0 && WORD.test(text[at - 1] ?? '') && WORD.test(text[at] ?? '')
}

const WORD = /\w/
