/**
 * Template values: `<%= key =%>` in a file is replaced before anything of the file is read. What was replaced is remembered,
 * so that every place is told in the text that the author wrote.
 */
import { escapeHtml } from './html-text.ts'
import type { Span } from './span.ts'

/** One markup that a value has taken the place of. */
export interface Replacement {
  /** Offsets of the value in the text that is read. */
  readonly start: number
  readonly end: number
  /** Offsets of the markup in the text as it was written. */
  readonly from: number
  readonly to: number
}

/** A file as it was written, where that is not what is read of it. */
export interface WrittenText {
  readonly text: string
  /** In the order of the text. */
  readonly replaced: readonly Replacement[]
  /** The markup whose key has no value: it has become empty text. */
  readonly unset: readonly (Replacement & { readonly key: string })[]
}

export interface FilledText {
  readonly text: string
  readonly written: WrittenText
}

/** What keys stand for: the fields of manifests, as JSON gives them. */
export type TemplateValues = ReadonlyMap<string, unknown>

const OPEN = '<%='
const CLOSE = '=%>'
/** Characters between the delimiters; what is longer is no key. */
const LONGEST_KEY = 200
const KEY = /^\s*(?<raw>&?)\s*(?<key>[\w$-]+(?:\.[\w$-]+)*)\s*$/

/**
 * The text with its template values in their places: `<%= key =%>` escaped for HTML, `<%= &key =%>` as it is, `a.b` the field of
 * a field. Null where it has none. Everything else between such delimiters is text.
 * @param limit characters of the result @throws RangeError where it is longer
 */
export function fillTemplateValues(text: string, values: TemplateValues, limit: number): FilledText | null {
  const parts: string[] = []
  const replaced: Replacement[] = []
  const unset: (Replacement & { key: string })[] = []
  let copied = 0
  let length = 0
  let close = 0
  for (let from = text.indexOf(OPEN); from >= 0; from = text.indexOf(OPEN, from)) {
    // The end of one that was passed over may be far away, and is looked for only once.
    if (close < from + OPEN.length) close = text.indexOf(CLOSE, from + OPEN.length)
    if (close < 0) break
    const inside = close - from <= LONGEST_KEY ? KEY.exec(text.slice(from + OPEN.length, close))?.groups : undefined
    if (inside === undefined) {
      from += OPEN.length
      continue
    }
    const key = inside['key'] ?? ''
    const templateValue = valueOf(values, key)
    const value = inside['raw'] === '&' ? inText(templateValue) : escaped(inText(templateValue))
    const start = length + from - copied
    const replacement: Replacement = { start, end: start + value.length, from, to: close + CLOSE.length }
    if (replacement.end > limit) throw new RangeError('the text with its values is too long')
    parts.push(text.slice(copied, from), value)
    replaced.push(replacement)
    if (templateValue === undefined) unset.push({ ...replacement, key })
    copied = from = replacement.to
    length = replacement.end
  }
  if (replaced.length === 0) return null
  if (length + text.length - copied > limit) throw new RangeError('the text with its values is too long')
  parts.push(text.slice(copied))
  return { text: parts.join(''), written: { text, replaced, unset } }
}

/** Undefined for a key without a value; JSON's null is none. */
function valueOf(values: TemplateValues, key: string): unknown {
  const [first = '', ...fields] = key.split('.')
  let value = values.get(first)
  for (const field of fields) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined
    value = Reflect.get(value, field)
  }
  return value ?? undefined
}

function inText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What an attribute without quotes could end at, beside the marks of HTML. */
const OUTSIDE_QUOTES: Readonly<Record<string, string>> = { '/': '&#x2F;', '`': '&#x60;', '=': '&#x3D;' }

function escaped(text: string): string {
  return escapeHtml(text).replace(/[/`=]/g, (char) => OUTSIDE_QUOTES[char] ?? char)
}

/** The place in the text as it was written of a place in the text that is read. What lies in a value is all of its markup. */
export function writtenSpan({ replaced }: WrittenText, { file, start, end }: Span): Span {
  if (start === end) {
    const empty = replaced[lastBefore(replaced, start - 1) + 1]
    if (empty?.start === start && empty.end === start) return { file, start: empty.from, end: empty.to }
  }
  const first = replaced[lastBefore(replaced, start)]
  const from = first === undefined ? start : start < first.end ? first.from : start - first.end + first.to
  // A value that begins where the span ends is no part of it.
  const last = replaced[lastBefore(replaced, end - 1)]
  const to = last === undefined ? end : end <= last.end ? last.to : end - last.end + last.to
  return { file, start: from, end: Math.max(from, to) }
}

/** The place in the text that is read of a place in the text as it was written. What lies in markup is the beginning of its value. */
export function readOffset({ replaced }: WrittenText, offset: number): number {
  const last = replaced.findLast(({ from }) => from <= offset)
  if (last === undefined) return offset
  return offset < last.to ? last.start : offset - last.to + last.end
}

/**
 * A change of the text that is read, as one of the text as it was written: what both texts have in common stays, with its markup.
 * Null where the change is one of a value.
 */
export function writtenChange(
  written: WrittenText,
  before: string,
  { span, text }: { readonly span: Span; readonly text: string },
): { readonly span: Span; readonly text: string } | null {
  const old = before.slice(span.start, span.end)
  const least = Math.min(old.length, text.length)
  let head = 0
  while (head < least && old[head] === text[head]) head++
  let tail = 0
  while (tail < least - head && old.at(-1 - tail) === text.at(-1 - tail)) tail++
  // Up to a value's end, and from a value's start.
  const within = { file: span.file, start: span.start + head, end: span.end - tail }
  const touched = written.replaced.some(({ start, end }) => start < within.end && within.start < end)
  if (touched) return null
  const start = placeBehind(written, within.start)
  const end = within.end === within.start ? start : writtenSpan(written, within).end
  return { span: { file: span.file, start, end }, text: text.slice(head, text.length - tail) }
}

/** The place in the text as it was written, behind a value that ends there. */
function placeBehind({ replaced }: WrittenText, offset: number): number {
  const last = replaced.findLast(({ end }) => end <= offset)
  return last === undefined ? offset : offset - last.end + last.to
}

/** Index of the last value that begins at the offset or before it, -1 for none. */
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
