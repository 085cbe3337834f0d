/**
 * Quoted texts over several lines. The platform's reader asks for no indentation in them, the package `yaml` does: here the line
 * breaks of those that stand too far left become spaces, so that every offset stays what it was.
 */
import { CST, Parser } from 'yaml'

/** Where the characters of a scalar's text stand: from `at` on, the text is the file's text from `source` on. */
export interface SourceSegment {
  readonly textOffset: number
  readonly sourceOffset: number
}

export interface JoinedText {
  readonly text: string
  /** Offsets of the joined texts, with their quotes: where each begins, and behind it. */
  readonly joinedAt: ReadonlyMap<number, number>
}

/** Characters that are looked at again and again, for a file with many of them. */
const MOST_CHARACTERS = 4_000_000
/** A line that begins a document ends every text before it. */
const DOCUMENT = /^(?:---|\.\.\.)(?:[ \t\r]|$)/m

/** The text, with each quoted text that runs on too far left in one line. */
export function joinQuoted(text: string): JoinedText {
  const joinedAt = new Map<number, number>()
  let joined = text
  if (!/["'][^"']*\n/.test(text)) return { text, joinedAt }
  for (let work = 0; work <= MOST_CHARACTERS; work += text.length) {
    const open = firstOpen(joined)
    if (open === null) break
    const end = behindQuote(joined, open)
    if (end === null) break
    const inside = joined.slice(open, end)
    // A text without line breaks that is not closed is not this mistake.
    if (!inside.includes('\n') || DOCUMENT.test(inside)) break
    joined = joined.slice(0, open) + inside.replace(/[\r\n]/g, ' ') + joined.slice(end)
    joinedAt.set(open, end)
  }
  return { text: joined, joinedAt }
}

/** The value of a quoted text as it was written, quotes included: line breaks fold to a space, empty lines to line breaks. */
export function foldedText(written: string): string {
  const indented = written.replace(/\n/g, '\n ')
  for (const token of new Parser().parse(indented)) {
    if (token.type !== 'document' || !token.value || !CST.isScalar(token.value)) continue
    return CST.resolveAsScalar(token.value, true, () => undefined)?.value ?? ''
  }
  return ''
}

/** Where the first quoted text begins that the parser has seen no end of; null for none. */
function firstOpen(text: string): number | null {
  let first: number | null = null
  const visit = (token: CST.Token | null | undefined): void => {
    if (first !== null || token === null || token === undefined) return
    if (token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar') {
      if (behindQuote(token.source, 0) === null) first = token.offset
    } else if (token.type === 'document') {
      visit(token.value)
    } else if ('items' in token) {
      for (const item of token.items) {
        visit(item.key)
        visit(item.value)
      }
    }
  }
  for (const token of new Parser().parse(text)) {
    visit(token)
    if (first !== null) return first
  }
  return null
}

/** The offset behind the quote that closes the one at `open`, null where there is none. */
function behindQuote(text: string, open: number): number | null {
  const quote = text[open]
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++
    else if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== quote) return at + 1
      at++
    }
  }
  return null
}

/** An escape or a fold inside of a quoted text: what stands there is not what it means. */
const CHANGED = {
  "'": /''|(?<![ \t])[ \t]*\r?\n\s*/g,
  '"': /\\(?:[ \t]*\r?\n\s*|x..|u.{4}|U.{8}|[^])|(?<![ \t])[ \t]*\r?\n\s*/g,
} as const

/**
 * Where the characters of a quoted text stand.
 * @param text what it means
 * @param written the same with its quotes, from `start` of the file on
 * @returns null where the one cannot be followed through the other
 */
export function quotedSegments(text: string, written: string, start: number): readonly SourceSegment[] | null {
  const inner = written.slice(1, -1)
  const segments: SourceSegment[] = []
  let at = 0
  let from = 0
  const follow = (end: number): boolean => {
    segments.push({ textOffset: at, sourceOffset: start + 1 + from })
    const same = text.startsWith(inner.slice(from, end), at)
    at += end - from
    return same
  }
  for (const { 0: changed, index } of inner.matchAll(CHANGED[written[0] as '"'])) {
    if (!follow(index)) return null
    const escaped = changed[0] === '\\'
    const breaks = changed.split('\n').length - 1
    // A fold is a space or the empty lines in it, a break that is escaped nothing but these, any other escape a character.
    at += escaped && breaks > 0 ? breaks - 1 : Math.max(breaks - 1, 1)
    if (changed[1] === 'U' && (text.codePointAt(at - 1) ?? 0) > 0xffff) at++
    from = index + changed.length
  }
  return follow(inner.length) && at === text.length ? segments : null
}
