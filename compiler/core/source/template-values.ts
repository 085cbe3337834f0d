/**
 * Replaces template values (`<%= key =%>`) before a file is parsed. It records the replacements, so that positions can be reported in
 * the text that the author wrote.
 */
import { escapeHtml } from './html-text.ts'
import type { Span } from './span.ts'

/** A markup that was replaced with a value. */
interface Replacement {
  /** The offsets of the value in the filled text. */
  readonly start: number
  readonly end: number
  /** The offsets of the markup in the written text. */
  readonly markupStart: number
  readonly markupEnd: number
}

/** The written text of a file, if it differs from the filled text. */
export interface WrittenText {
  readonly text: string
  /** All replacements in text order. */
  readonly replacements: readonly Replacement[]
  /** The markups whose key has no value. They were replaced with empty text. */
  readonly unset: readonly (Replacement & { readonly key: string })[]
}

interface FilledText {
  readonly text: string
  readonly writtenText: WrittenText
}

/** The values of keys: the fields of manifests, as parsed from JSON. */
export type TemplateValues = ReadonlyMap<string, unknown>

const OPEN = '<%='
const CLOSE = '=%>'
/** Maximum length of a key in characters. Longer text is not a key. */
const MAX_KEY_LENGTH = 200
const KEY = /^\s*(?<raw>&?)\s*(?<key>[\w$-]+(?:\.[\w$-]+)*)\s*$/

/**
 * Fills in the template values of a text. `<%= key =%>` is escaped for HTML, `<%= &key =%>` is not, and `a.b` reads a nested field.
 * Returns null if there are none. Other text between the delimiters is unchanged.
 * @param limit length limit of the result, in characters @throws RangeError if it is longer
 */
export function fillTemplateValues(text: string, values: TemplateValues, limit: number): FilledText | null {
  const parts: string[] = []
  const replaced: Replacement[] = []
  const unset: (Replacement & { key: string })[] = []
  let copiedTo = 0
  let length = 0
  let close = 0
  for (let from = text.indexOf(OPEN); from >= 0; from = text.indexOf(OPEN, from)) {
    // The closing delimiter of a skipped markup may be far away, so it is searched only once.
    if (close < from + OPEN.length) close = text.indexOf(CLOSE, from + OPEN.length)
    if (close < 0) break
    const keyMatch =
      close - from <= MAX_KEY_LENGTH ? KEY.exec(text.slice(from + OPEN.length, close))?.groups : undefined
    if (keyMatch === undefined) {
      from += OPEN.length
      continue
    }
    const key = keyMatch['key'] ?? ''
    const templateValue = findValue(values, key)
    const value = keyMatch['raw'] === '&' ? formatValue(templateValue) : escapeValue(formatValue(templateValue))
    const start = length + from - copiedTo
    const replacement: Replacement = {
      start,
      end: start + value.length,
      markupStart: from,
      markupEnd: close + CLOSE.length,
    }
    if (replacement.end > limit) throw new RangeError('the text with its template values is too long')
    parts.push(text.slice(copiedTo, from), value)
    replaced.push(replacement)
    if (templateValue === undefined) unset.push({ ...replacement, key })
    copiedTo = from = replacement.markupEnd
    length = replacement.end
  }
  if (replaced.length === 0) return null
  if (length + text.length - copiedTo > limit) throw new RangeError('the text with its template values is too long')
  parts.push(text.slice(copiedTo))
  return { text: parts.join(''), writtenText: { text, replacements: replaced, unset } }
}

/** Returns the value of a key; undefined if it is missing or null. */
function findValue(values: TemplateValues, key: string): unknown {
  const [first = '', ...fields] = key.split('.')
  let value = values.get(first)
  for (const field of fields) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined
    value = Reflect.get(value, field)
  }
  return value ?? undefined
}

function formatValue(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Characters that can end an attribute value without quotes, in addition to the special characters of HTML. */
const OUTSIDE_QUOTES: Readonly<Record<string, string>> = { '/': '&#x2F;', '`': '&#x60;', '=': '&#x3D;' }

function escapeValue(text: string): string {
  return escapeHtml(text).replace(/[/`=]/g, (char) => OUTSIDE_QUOTES[char] ?? char)
}

/** Converts a span of the filled text to a span of the written text. A position in a value becomes its whole markup. */
export function writtenSpan({ replacements: replaced }: WrittenText, { file, start, end }: Span): Span {
  if (start === end) {
    const emptyReplacement = replaced[lastBefore(replaced, start - 1) + 1]
    if (emptyReplacement?.start === start && emptyReplacement.end === start)
      return { file, start: emptyReplacement.markupStart, end: emptyReplacement.markupEnd }
  }
  const first = replaced[lastBefore(replaced, start)]
  const from = first === undefined ? start : start < first.end ? first.markupStart : start - first.end + first.markupEnd
  // A value that begins at the end of the span is not part of it.
  const last = replaced[lastBefore(replaced, end - 1)]
  const to = last === undefined ? end : end <= last.end ? last.markupEnd : end - last.end + last.markupEnd
  return { file, start: from, end: Math.max(from, to) }
}

/** Converts an offset in the written text to one in the filled text. A position in a markup becomes the beginning of its value. */
export function filledOffset({ replacements: replaced }: WrittenText, offset: number): number {
  const last = replaced.findLast(({ markupStart: from }) => from <= offset)
  if (last === undefined) return offset
  return offset < last.markupEnd ? last.start : offset - last.markupEnd + last.end
}

/**
 * Converts a change of the filled text to a change of the written text. Unchanged parts keep their markup. Returns null if the change
 * is inside a value.
 */
export function writtenChange(
  writtenText: WrittenText,
  textBefore: string,
  { span, text }: { readonly span: Span; readonly text: string },
): { readonly span: Span; readonly text: string } | null {
  const oldText = textBefore.slice(span.start, span.end)
  const shorterLength = Math.min(oldText.length, text.length)
  let sharedStart = 0
  while (sharedStart < shorterLength && oldText[sharedStart] === text[sharedStart]) sharedStart++
  let sharedEnd = 0
  while (sharedEnd < shorterLength - sharedStart && oldText.at(-1 - sharedEnd) === text.at(-1 - sharedEnd)) sharedEnd++
  // Only the part that differs is changed.
  const changedSpan = { file: span.file, start: span.start + sharedStart, end: span.end - sharedEnd }
  const isInsideValue = writtenText.replacements.some(
    ({ start, end }) => start < changedSpan.end && changedSpan.start < end,
  )
  if (isInsideValue) return null
  const start = offsetAfter(writtenText, changedSpan.start)
  const end = changedSpan.end === changedSpan.start ? start : writtenSpan(writtenText, changedSpan).end
  return { span: { file: span.file, start, end }, text: text.slice(sharedStart, text.length - sharedEnd) }
}

/** Returns the offset in the written text, after a value that ends there. */
function offsetAfter({ replacements: replaced }: WrittenText, offset: number): number {
  const last = replaced.findLast(({ end }) => end <= offset)
  return last === undefined ? offset : offset - last.end + last.markupEnd
}

/** Returns the index of the last value that begins at or before the offset; -1 if there is none. */
function lastBefore(replaced: readonly Replacement[], offset: number): number {
  let low = 0
  let high = replaced.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((replaced[middle]?.start ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
