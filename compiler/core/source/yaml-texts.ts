/** The texts of YAML as libyaml reads them: plain ones, those in quotes, and those below `|` and `>`. */
import { endsLine, endsWord, isBlank, isBreak, TAB, WRONG_COLON, type YamlCursor, YamlRefusal } from './yaml-cursor.ts'

/** Where the characters of a scalar's text stand: from `textOffset` on, the text is the file's text from `sourceOffset` on. */
export interface SourceSegment {
  readonly textOffset: number
  readonly sourceOffset: number
}

export interface ScalarText {
  readonly text: string
  /** Places in the text that is read. */
  readonly segments: readonly SourceSegment[]
  readonly start: number
  readonly end: number
}

/** A piece of a text, and where what it was written as begins. */
interface Piece {
  readonly text: string
  readonly at: number
}

const NOTHING: Piece = { text: '', at: 0 }
const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
}
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** A text that is put together of pieces of its file. */
class PlacedText {
  text = ''
  readonly segments: SourceSegment[] = []

  add(text: string, at: number): void {
    if (text === '') return
    const last = this.segments.at(-1)
    if (last === undefined || at - this.text.length !== last.sourceOffset - last.textOffset)
      this.segments.push({ textOffset: this.text.length, sourceOffset: at })
    this.text += text
  }

  between(start: number, end: number): ScalarText {
    if (this.segments.length === 0) this.segments.push({ textOffset: 0, sourceOffset: start + 1 })
    return { text: this.text, segments: this.segments, start, end }
  }
}

/**
 * Reads a plain text, which may run over several lines.
 * @param indent the column of the block around; lines that begin there are none of its own
 * @returns also whether the place after it is in another line
 */
export function readPlain(
  cursor: YamlCursor,
  indent: number,
  isInFlow: boolean,
): { readonly scalar: ScalarText; readonly isBehindBreak: boolean } {
  const start = cursor.at
  const text = new PlacedText()
  let end = start
  let gap: Piece = NOTHING
  while (cursor.documentSign() === null && cursor.sign() !== '#') {
    const from = cursor.at
    while (!endsPlain(cursor, isInFlow)) cursor.at++
    if (cursor.at > from) {
      text.add(gap.text, gap.at)
      text.add(cursor.text.slice(from, cursor.at), from)
      end = cursor.at
    }
    if (!isBlank(cursor.code()) && !isBreak(cursor.code())) break
    gap = readGap(cursor, indent + 1, false)
    if (!isInFlow && cursor.column <= indent) break
  }
  return { scalar: text.between(start, end), isBehindBreak: cursor.lineStart > end }
}

function endsPlain(cursor: YamlCursor, isInFlow: boolean): boolean {
  if (endsWord(cursor.code())) return true
  const sign = cursor.sign()
  if (sign === ':' && endsWord(cursor.code(1))) return true
  if (!isInFlow) return false
  if (sign === ':' && ',?[]{}'.includes(cursor.sign(1))) cursor.refuse(WRONG_COLON)
  return ',[]{}'.includes(sign)
}

/**
 * The white space that stands here, as it is read: blanks as they are, one line break as a space, further ones as line breaks.
 * @param indent lines that begin further out may not have a tab there
 * @param isFolded a line break stood here that counts for nothing
 */
function readGap(cursor: YamlCursor, indent: number, isFolded: boolean): Piece {
  const at = cursor.at
  let isLater = isFolded
  let first = ''
  let more = ''
  for (;;) {
    const code = cursor.code()
    if (isBlank(code)) {
      if (isLater && code === 9 && cursor.column < indent) cursor.refuse(TAB)
      cursor.at++
    } else if (isBreak(code)) {
      if (isLater) more += cursor.breakLine()
      else first = cursor.breakLine()
      isLater = true
    } else break
  }
  if (!isLater) return { text: cursor.text.slice(at, cursor.at), at }
  if (first !== '\n') return { text: first + more, at }
  return { text: more === '' ? ' ' : more, at }
}

/** Reads a text in quotes; its lines may begin in any column. */
export function readQuoted(cursor: YamlCursor): ScalarText {
  const start = cursor.at
  const quote = cursor.sign()
  const text = new PlacedText()
  cursor.at++
  for (;;) {
    if (cursor.code() === 0 || cursor.documentSign() !== null)
      throw new YamlRefusal(start, cursor.at, `the quote ${quote} is never closed`)
    const isEscaped = readWord(cursor, quote, text)
    if (cursor.sign() === quote) break
    const gap = readGap(cursor, 0, isEscaped)
    text.add(gap.text, gap.at)
  }
  cursor.at++
  return text.between(start, cursor.at)
}

/** Reads up to a quote or white space. @returns whether it ends with a line break that is escaped */
function readWord(cursor: YamlCursor, quote: string, text: PlacedText): boolean {
  let from = cursor.at
  const add = () => text.add(cursor.text.slice(from, cursor.at), from)
  while (!endsWord(cursor.code())) {
    const sign = cursor.sign()
    const at = cursor.at
    if (sign === quote) {
      if (quote === '"' || cursor.sign(1) !== quote) break
      // One of the two quotes is the text.
      cursor.at++
      add()
      from = ++cursor.at
    } else if (sign === '\\' && quote === '"') {
      add()
      cursor.at++
      if (isBreak(cursor.code())) {
        cursor.breakLine()
        return true
      }
      text.add(readEscape(cursor), at)
      from = cursor.at
    } else cursor.at++
  }
  add()
  return false
}

/** Reads what follows a backslash. @returns the character that it means */
function readEscape(cursor: YamlCursor): string {
  const sign = cursor.sign()
  const digits = HEX_DIGITS[sign]
  if (digits === undefined) {
    const meant = ESCAPES[sign]
    if (meant === undefined) cursor.refuse(`\`\\${sign}\` means nothing in a text in "`)
    cursor.at++
    return meant
  }
  const hex = cursor.text.slice(cursor.at + 1, cursor.at + 1 + digits)
  const code = hex.length === digits && /^[0-9a-f]+$/i.test(hex) ? Number.parseInt(hex, 16) : -1
  if (code < 0 || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
    cursor.refuse(`\`\\${sign}\` is followed by the ${digits} hexadecimal digits of a character`)
  cursor.at += 1 + digits
  return String.fromCodePoint(code)
}

/** Reads the text below `|` or `>`. @param around the column of the block around; -1 outside of all */
export function readBlock(cursor: YamlCursor, around: number): ScalarText {
  const start = cursor.at
  const isFolded = cursor.sign() === '>'
  cursor.at++
  const header = cursor.match(/(?:[+-][0-9]?|[0-9][+-]?)?/y)?.[0] ?? ''
  const given = /[0-9]/.exec(header)?.[0]
  if (given === '0') cursor.refuse('a text cannot be indented by 0 spaces')
  cursor.at += header.length
  cursor.endLine()
  if (cursor.code() !== 0) cursor.breakLine()
  const text = new PlacedText()
  let { empty, indent } = readEmptyLines(
    cursor,
    given === undefined ? null : Math.max(around, 0) + Number(given),
    around,
  )
  let end = cursor.at
  let lineBreak: Piece = NOTHING
  let wasFurtherIn = false
  while (cursor.column === indent && cursor.code() !== 0) {
    const isFurtherIn = isBlank(cursor.code())
    if (!isFolded || lineBreak.text !== '\n' || wasFurtherIn || isFurtherIn) text.add(lineBreak.text, lineBreak.at)
    else if (empty.text === '') text.add(' ', lineBreak.at)
    text.add(empty.text, empty.at)
    wasFurtherIn = isFurtherIn
    const from = cursor.at
    while (!endsLine(cursor.code())) cursor.at++
    text.add(cursor.text.slice(from, cursor.at), from)
    lineBreak = { at: cursor.at, text: cursor.code() === 0 ? '' : cursor.breakLine() }
    end = cursor.at
    ;({ empty, indent } = readEmptyLines(cursor, indent, around))
  }
  if (!header.includes('-')) text.add(lineBreak.text, lineBreak.at)
  if (header.includes('+')) text.add(empty.text, empty.at)
  return text.between(start, end)
}

/** Moves past lines without a text and the indentation of the next one. @param given how far that one is indented; null where it says so itself */
function readEmptyLines(
  cursor: YamlCursor,
  given: number | null,
  around: number,
): { readonly empty: Piece; readonly indent: number } {
  const at = cursor.at
  let text = ''
  let widest = Math.max(around + 1, 1)
  for (;;) {
    const isBefore = () => given === null || cursor.column < given
    while (isBefore() && cursor.sign() === ' ') cursor.at++
    widest = Math.max(widest, cursor.column)
    if (isBefore() && cursor.sign() === '\t') cursor.refuse(TAB)
    if (!isBreak(cursor.code())) break
    text += cursor.breakLine()
  }
  return { empty: { text, at }, indent: given ?? widest }
}
