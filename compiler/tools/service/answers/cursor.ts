/** Describes the syntax around the cursor in a template. Also works for text that does not parse. */

/** A quoted text around the cursor. `end` is the end of the text, or the cursor if the quote is not closed. */
export interface QuotedText {
  readonly start: number
  readonly end: number
  readonly text: string
}

type Cursor =
  /** HTML or other output. */
  { readonly kind: 'text' } | { readonly kind: 'front-matter' } | Markup

export interface Markup {
  readonly kind: 'markup'
  /** The name of the tag; null for an output. */
  readonly tag: string | null
  /** The offset after the name. The markup lasts to the end of the tag, or of its line. */
  readonly start: number
  readonly end: number
  /** Whether the opening delimiter is closed. */
  readonly closed: boolean
  /** Whether the markup is a line of `{% liquid %}`. */
  readonly inLines: boolean
  /** The range of the tag's name, or where the name is expected. */
  readonly name: { readonly start: number; readonly end: number }
  /** The kind of text at the cursor. */
  readonly at: 'tag-name' | 'filter' | 'property' | 'value' | 'text'
  readonly quoted: QuotedText | null
  /** The word at the cursor, including its part after the cursor. */
  readonly word: { readonly start: number; readonly end: number }
}

const OPENER = /\{\{-?|\{%-?/g
/** Tags whose bodies contain no Liquid. */
const RAW = /^(?:raw|comment|doc|verbatim)$/
const WORD = /[\w?-]/

/** Returns the syntax at an offset. @param bodyStart offset where the template begins, after its front matter */
export function cursorAt(text: string, offset: number, bodyStart: number): Cursor {
  if (offset < bodyStart) return { kind: 'front-matter' }
  OPENER.lastIndex = bodyStart
  for (let match = OPENER.exec(text); match !== null && match.index < offset; match = OPENER.exec(text)) {
    const isOutput = match[0].startsWith('{{')
    const from = match.index + match[0].length
    const { end, closed, next } = markupEnd(text, from, isOutput ? '}}' : '%}')
    const name = isOutput ? '' : (/\s*([\w#]*)/.exec(text.slice(from, end))?.[1] ?? '')
    // After the closing delimiter, the cursor is outside.
    if (offset <= end && offset >= from) {
      if (isOutput)
        return markupAt(text, offset, {
          tag: null,
          name: { start: from, end: from },
          start: from,
          end,
          closed,
          inLines: false,
        })
      const at = from + text.slice(from, end).search(/\S|$/)
      if (name === 'liquid' && offset > at + name.length) return lineAt(text, offset, at + name.length, end)
      const span = { start: name === '' ? offset : at, end: name === '' ? offset : at + name.length }
      return markupAt(text, offset, { tag: name, name: span, start: span.end, end, closed, inLines: false })
    }
    if (offset < next) return { kind: 'text' }
    OPENER.lastIndex = RAW.test(name) ? rawBlockEnd(text, next, name) : next
  }
  return { kind: 'text' }
}

/** Returns the end of a markup: its closing delimiter outside of quotes, otherwise the next opening delimiter. */
function markupEnd(
  text: string,
  from: number,
  close: string,
): { readonly end: number; readonly closed: boolean; readonly next: number } {
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"' || sign === "'") {
      const behind = text.indexOf(sign, at + 1)
      // An unmatched quote is ignored.
      if (behind > 0 && !text.slice(at, behind).includes('\n')) at = behind
      continue
    }
    if (text.startsWith(close, at)) {
      const end = text[at - 1] === '-' && at - 1 >= from ? at - 1 : at
      return { end, closed: true, next: at + 2 }
    }
    if (text.startsWith('{{', at) || text.startsWith('{%', at)) return { end: at, closed: false, next: at }
  }
  return { end: text.length, closed: false, next: text.length }
}

function rawBlockEnd(text: string, from: number, name: string): number {
  const match = new RegExp(`\\{%-?\\s*end${name}\\s*-?%\\}`).exec(text.slice(from))
  return match === null ? text.length : from + match.index + match[0].length
}

/** Finds the tag in a line of `{% liquid %}`. A tag whose arguments continue after a comma has several lines. */
function lineAt(text: string, offset: number, from: number, to: number): Cursor {
  let start = Math.max(from, text.lastIndexOf('\n', offset - 1) + 1)
  while (start > from && /,[ \t\r]*$/.test(text.slice(from, start - 1)))
    start = Math.max(from, text.lastIndexOf('\n', start - 2) + 1)
  let end = text.indexOf('\n', offset)
  if (end < 0 || end > to) end = to
  const [, indent = '', name = ''] = /^([ \t]*)(\w*)/.exec(text.slice(start, end)) ?? []
  const at = start + indent.length
  if (name === '')
    return markupAt(text, offset, {
      tag: '',
      name: { start: offset, end: offset },
      start: offset,
      end,
      closed: true,
      inLines: true,
    })
  const span = { start: at, end: at + name.length }
  return markupAt(text, offset, { tag: name, name: span, start: span.end, end, closed: true, inLines: true })
}

function markupAt(text: string, offset: number, markup: Omit<Markup, 'kind' | 'at' | 'quoted' | 'word'>): Markup {
  const { name, start, end } = markup
  const wordRange = wordAround(text, offset)
  const base = { kind: 'markup', ...markup, quoted: null, word: wordRange } as const
  if (markup.tag !== null && offset <= name.end) return { ...base, at: 'tag-name', word: name }
  const quoted = quotedAround(text, start, offset, end)
  if (quoted !== null) return { ...base, at: 'text', quoted }
  const textBefore = text.slice(start, wordRange.start).trimEnd()
  if (textBefore.endsWith('|') && !textBefore.endsWith('||')) return { ...base, at: 'filter' }
  return { ...base, at: /[\w\])?]\.$/.test(textBefore) ? 'property' : 'value' }
}

function wordAround(text: string, offset: number): { readonly start: number; readonly end: number } {
  let start = offset
  while (start > 0 && WORD.test(text[start - 1] ?? '')) start--
  let end = offset
  while (end < text.length && /[\w?]/.test(text[end] ?? '')) end++
  return { start, end }
}

function quotedAround(text: string, start: number, offset: number, end: number): QuotedText | null {
  let open = -1
  for (let at = start; at < offset; at++) {
    const sign = text[at]
    if (open >= 0) {
      if (sign === text[open]) open = -1
    } else if (sign === '"' || sign === "'") open = at
  }
  if (open < 0) return null
  const sign = text.charAt(open)
  let behind = text.indexOf(sign, offset)
  const newline = text.indexOf('\n', offset)
  if (behind < 0 || behind > end || (newline >= 0 && newline < behind)) behind = offset
  return { start: open + 1, end: behind, text: text.slice(open + 1, behind) }
}
