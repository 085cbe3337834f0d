/** Parses the texts of YAML like libyaml: plain texts, quoted texts, and block texts after `|` and `>`. */
import { endsLine, endsWord, isBlank, isBreak, TAB, WRONG_COLON, type YamlCursor, YamlRefusal } from './yaml-cursor.ts'

/** Maps the text of a scalar to the file: the text from `textOffset` on equals the text of the file from `sourceOffset` on. */
export interface SourceSegment {
  readonly textOffset: number
  readonly sourceOffset: number
}

export interface ScalarText {
  readonly text: string
  /** The positions of the parts in the source text. */
  readonly segments: readonly SourceSegment[]
  readonly start: number
  readonly end: number
}

/** A part of a text, and the offset of its source. */
interface TextPart {
  readonly text: string
  readonly at: number
}

const NOTHING: TextPart = { text: '', at: 0 }
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

/** A text that is built from parts of its file. */
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
 * Parses a plain text, which may have several lines.
 * @param indent the column of the surrounding block; lines that begin there do not belong to the text
 * @returns the text, and whether the place after it is on another line
 */
export function readPlain(
  cursor: YamlCursor,
  indent: number,
  isInFlow: boolean,
): { readonly scalar: ScalarText; readonly isAfterBreak: boolean } {
  const start = cursor.at
  const text = new PlacedText()
  let end = start
  let gap: TextPart = NOTHING
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
  return { scalar: text.between(start, end), isAfterBreak: cursor.lineStart > end }
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
 * Parses the white space at the cursor: blanks are unchanged, one line break becomes a space, and further ones stay line breaks.
 * @param indent lines with a smaller indent may not contain a tab there
 * @param isFolded whether the line break before it is ignored
 */
function readGap(cursor: YamlCursor, indent: number, isFolded: boolean): TextPart {
  const at = cursor.at
  let sawBreak = isFolded
  let first = ''
  let more = ''
  for (;;) {
    const code = cursor.code()
    if (isBlank(code)) {
      if (sawBreak && code === 9 && cursor.column < indent) cursor.refuse(TAB)
      cursor.at++
    } else if (isBreak(code)) {
      if (sawBreak) more += cursor.breakLine()
      else first = cursor.breakLine()
      sawBreak = true
    } else break
  }
  if (!sawBreak) return { text: cursor.text.slice(at, cursor.at), at }
  if (first !== '\n') return { text: first + more, at }
  return { text: more === '' ? ' ' : more, at }
}

/** Parses a quoted text. Its lines may begin in any column. */
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

/** Parses up to a quote or white space. @returns whether it ends with an escaped line break */
function readWord(cursor: YamlCursor, quote: string, text: PlacedText): boolean {
  let from = cursor.at
  const add = () => text.add(cursor.text.slice(from, cursor.at), from)
  while (!endsWord(cursor.code())) {
    const sign = cursor.sign()
    const at = cursor.at
    if (sign === quote) {
      if (quote === '"' || cursor.sign(1) !== quote) break
      // Two single quotes mean one.
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

/** Parses the text after a backslash. @returns the character that it means */
function readEscape(cursor: YamlCursor): string {
  const sign = cursor.sign()
  const digits = HEX_DIGITS[sign]
  if (digits === undefined) {
    const character = ESCAPES[sign]
    if (character === undefined) cursor.refuse(`\`\\${sign}\` is not a valid escape in a text in "`)
    cursor.at++
    return character
  }
  const hex = cursor.text.slice(cursor.at + 1, cursor.at + 1 + digits)
  const code = hex.length === digits && /^[0-9a-f]+$/i.test(hex) ? Number.parseInt(hex, 16) : -1
  if (code < 0 || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
    cursor.refuse(`\`\\${sign}\` must be followed by ${digits} hexadecimal digits`)
  cursor.at += 1 + digits
  return String.fromCodePoint(code)
}

/** Parses the text after `|` or `>`. @param blockColumn the column of the surrounding block; -1 outside of all blocks */
export function readBlock(cursor: YamlCursor, blockColumn: number): ScalarText {
  const start = cursor.at
  const isFolded = cursor.sign() === '>'
  cursor.at++
  const header = cursor.match(/(?:[+-][0-9]?|[0-9][+-]?)?/y)?.[0] ?? ''
  const writtenIndent = /[0-9]/.exec(header)?.[0]
  if (writtenIndent === '0') cursor.refuse('a text cannot be indented by 0 spaces')
  cursor.at += header.length
  cursor.endLine()
  if (cursor.code() !== 0) cursor.breakLine()
  const text = new PlacedText()
  let { empty, indent } = readEmptyLines(
    cursor,
    writtenIndent === undefined ? null : Math.max(blockColumn, 0) + Number(writtenIndent),
    blockColumn,
  )
  let end = cursor.at
  let lineBreak: TextPart = NOTHING
  let wasIndented = false
  while (cursor.column === indent && cursor.code() !== 0) {
    const isIndented = isBlank(cursor.code())
    if (!isFolded || lineBreak.text !== '\n' || wasIndented || isIndented) text.add(lineBreak.text, lineBreak.at)
    else if (empty.text === '') text.add(' ', lineBreak.at)
    text.add(empty.text, empty.at)
    wasIndented = isIndented
    const from = cursor.at
    while (!endsLine(cursor.code())) cursor.at++
    text.add(cursor.text.slice(from, cursor.at), from)
    lineBreak = { at: cursor.at, text: cursor.code() === 0 ? '' : cursor.breakLine() }
    end = cursor.at
    ;({ empty, indent } = readEmptyLines(cursor, indent, blockColumn))
  }
  if (!header.includes('-')) text.add(lineBreak.text, lineBreak.at)
  if (header.includes('+')) text.add(empty.text, empty.at)
  return text.between(start, end)
}

/** Skips empty lines and the indentation of the next line. @param fixedIndent the indentation of that line; null if the line defines it */
function readEmptyLines(
  cursor: YamlCursor,
  fixedIndent: number | null,
  blockColumn: number,
): { readonly empty: TextPart; readonly indent: number } {
  const at = cursor.at
  let text = ''
  let widestIndent = Math.max(blockColumn + 1, 1)
  for (;;) {
    const isInIndentation = () => fixedIndent === null || cursor.column < fixedIndent
    while (isInIndentation() && cursor.sign() === ' ') cursor.at++
    widestIndent = Math.max(widestIndent, cursor.column)
    if (isInIndentation() && cursor.sign() === '\t') cursor.refuse(TAB)
    if (!isBreak(cursor.code())) break
    text += cursor.breakLine()
  }
  return { empty: { text, at }, indent: fixedIndent ?? widestIndent }
}
