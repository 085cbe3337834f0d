/** Formats the lines of `{% liquid %}`. They are indented by block depth. */
import type { IToken } from 'chevrotain'
import { LANGUAGE } from '../../language/language.ts'
import { BadLine, EndOpen, openedName, RawTag } from '../../language/syntax/lexer.ts'
import { isA, statementEnd, TagClose } from '../../language/syntax/tokens.ts'
import { indentDeeper, type Edits, lineEndIn } from './edit.ts'
import { endOf, formatMarkup, opensTag } from './markup.ts'

/** A tag, an unparsed block, or a comment. */
interface Line {
  readonly start: number
  readonly end: number
  /** The tokens of the tag; empty for a comment. */
  readonly tokens: readonly IToken[]
}

export interface Lines {
  /** The start of the tag, and the start of its closing delimiter. */
  readonly start: number
  readonly bodyStart: number
  readonly bodyEnd: number
  /** The offset after the tag. */
  readonly end: number
  /** Index of the first token after the tag. */
  readonly next: number
  readonly lines: readonly Line[]
  /** Whether the tag contains markup that is not allowed in lines. Such a tag stays unchanged. */
  readonly isUnformattable: boolean
}

const OPEN = /\{%-?[ \t\r\n\f\v]*liquid/y
const SPACE = /[ \t\r\n\f\v;]+/y
const CLOSE = /-?%\}/y

/** Returns the `{% liquid %}` tag at an offset, whose first token has the index `at`; null if there is none. */
export function findLines(text: string, start: number, tokens: readonly IToken[], at: number): Lines | null {
  const bodyStart = endOfMatch(OPEN, text, start)
  if (bodyStart < 0) return null
  const lines: Line[] = []
  let isUnformattable = false
  let next = at
  for (let offset = bodyStart; offset < text.length; ) {
    const token = tokens[next]
    if (token?.startOffset === offset) {
      const last = lineEndIndex(tokens, token, next)
      const line = tokens.slice(next, last + 1)
      next = last + 1
      const close = line.at(-1) ?? token
      isUnformattable ||= isA(token, BadLine) || text.slice(offset, endOf(close)).includes('<%=')
      const closes = isA(close, TagClose)
      lines.push({ start: offset, end: closes ? close.startOffset : endOf(close), tokens: line })
      offset = endOf(close)
      if (closes && close.image !== '\n')
        return { start, bodyStart, bodyEnd: close.startOffset, end: offset, next, lines, isUnformattable }
      continue
    }
    const closed = endOfMatch(CLOSE, text, offset)
    if (closed >= 0) return { start, bodyStart, bodyEnd: offset, end: closed, next, lines, isUnformattable }
    const space = endOfMatch(SPACE, text, offset)
    if (space >= 0) {
      isUnformattable ||= text.slice(offset, space).includes(';')
      offset = space
    } else if (text[offset] === '#') {
      const end = statementEnd(text, offset)
      lines.push({ start: offset, end: offset + text.slice(offset, end).trimEnd().length, tokens: [] })
      offset = end
    } else {
      isUnformattable = true
      offset += 'liquid'.length
    }
  }
  return null
}

function endOfMatch(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** Returns the index of the last token of the line that begins with the token at `at`. */
function lineEndIndex(tokens: readonly IToken[], firstToken: IToken, at: number): number {
  if (!opensTag(firstToken)) return at
  let end = at
  for (let token: IToken | undefined = firstToken; token !== undefined && !isA(token, TagClose); token = tokens[end])
    end++
  return Math.min(end, tokens.length - 1)
}

/** Formats the lines. @param blocks start offsets of blocks that have an end */
export function formatLines(
  text: string,
  lines: Lines & { readonly indent: string },
  blocks: ReadonlySet<number>,
  edits: Edits,
): void {
  const { start, bodyStart, bodyEnd, lines: all, isUnformattable, indent } = lines
  const openerLength = text.startsWith('{%-', start) ? 3 : 2
  edits.replace(start + openerLength, bodyStart - 'liquid'.length, ' ')
  const [first, second] = all
  if (isUnformattable) return
  const body = text.slice(bodyStart, bodyEnd)
  const isSingleTag = second === undefined && !body.trimEnd().includes('\n') && !/^[ \t]*\r?\n/.test(body)
  if (first === undefined || isSingleTag) {
    if (first === undefined) edits.replace(bodyStart, bodyEnd, ' ')
    else if (first.tokens.length > 0) formatSingleLine(text, lines, first, edits)
    return
  }
  const eol = lineEndIn(body) ?? '\n'
  const columns = computeIndents(text, all, blocks, indentDeeper(indent))
  let from = bodyStart
  for (const [at, line] of all.entries()) {
    const own = columns[at] ?? ''
    const gap = text.slice(from, line.start)
    const ends = gap.split('\n').length - 1
    const isBlank = ends > 1 && at > 0
    edits.replace(from, line.start, `${eol.repeat(isBlank ? 2 : 1)}${own}`)
    formatLine(text, line, own, edits)
    from = endOfLine(text, line)
  }
  edits.replace(from, bodyEnd, `${eol}${indent}`)
}

/** Formats a `{% liquid %}` with a single tag on one line. */
function formatSingleLine(
  text: string,
  { bodyStart, bodyEnd, indent }: Lines & { readonly indent: string },
  line: Line,
  edits: Edits,
): void {
  edits.replace(bodyStart, line.start, ' ')
  formatLine(text, line, indent, edits)
  edits.replace(endOfLine(text, line), bodyEnd, ' ')
}

/** Returns the offset after a line's last token and the comment that follows it. */
function endOfLine(text: string, { start, end }: Line): number {
  return start + text.slice(start, end).trimEnd().length
}

function formatLine(text: string, line: Line, indent: string, edits: Edits): void {
  const { tokens, start } = line
  const [firstToken] = tokens
  if (firstToken === undefined) return
  if (isA(firstToken, RawTag)) return formatComment(text, line, indent, edits)
  const isClosed = isA(tokens.at(-1) ?? firstToken, TagClose)
  const inside = isClosed ? tokens.slice(0, -1) : tokens
  formatMarkup(text, { tokens: inside, indent }, edits)
  const last = inside.at(-1) ?? firstToken
  const comment = text.slice(endOf(last), endOfLine(text, line))
  if (comment.trim() !== '' && start < endOf(last))
    edits.replace(endOf(last), endOfLine(text, line), `${comment.trim().startsWith(';') ? '' : ' '}${comment.trim()}`)
}

/** Shifts all lines of a `comment` together with its first line. */
function formatComment(text: string, { start, end }: Line, indent: string, edits: Edits): void {
  const oldColumn = start - text.lastIndexOf('\n', start - 1) - 1
  const shift = indent.length - oldColumn
  const image = text.slice(start, end)
  const last = image.lastIndexOf('\n')
  for (const { index } of image.matchAll(/\n(?=[ \t]*\S)/g)) {
    const at = start + index + 1
    const own = /^[ \t]*/.exec(text.slice(at))?.[0] ?? ''
    const isLast = index === last
    if (isLast) edits.replace(at, at + own.length, indent)
    else if (shift > 0) edits.replace(at, at, ' '.repeat(shift))
    else edits.replace(at, at + Math.min(own.length, -shift), '')
  }
}

// ---- blocks -------------------------------------------------------------------------------------------------------------

interface OpenBlock {
  readonly name: string
  readonly indent: string
}

/** Returns the indentation of each line. */
function computeIndents(
  text: string,
  lines: readonly Line[],
  blocks: ReadonlySet<number>,
  outer: string,
): readonly string[] {
  const open: OpenBlock[] = []
  let inside = outer
  const found = lines.map(({ tokens, start }) => {
    const [token] = tokens
    if (token === undefined || isA(token, RawTag)) return inside
    const name = openedName(token.image)
    const top = open.at(-1)
    if (token.tokenType === EndOpen) {
      open.pop()
      return (inside = top?.indent ?? outer)
    }
    if (LANGUAGE.branches.has(name) && !blocks.has(start)) {
      const own = top === undefined ? outer : top.name === 'case' ? indentDeeper(top.indent) : top.indent
      if (top !== undefined) inside = indentDeeper(own)
      return own
    }
    const own = inside
    if (blocks.has(start)) {
      open.push({ name, indent: own })
      inside = name === 'case' ? indentDeeper(indentDeeper(own)) : indentDeeper(own)
    }
    return own
  })
  // A comment with the same indentation as the next line belongs to that line.
  for (let at = lines.length - 2; at >= 0; at--) {
    const [line, next, indent] = [lines[at], lines[at + 1], found[at + 1]]
    if (line === undefined || next === undefined || indent === undefined) continue
    if (line.tokens.length === 0 && columnOf(text, line) === columnOf(text, next)) found[at] = indent
  }
  return found
}

function columnOf(text: string, { start }: Line): number {
  return start - text.lastIndexOf('\n', start - 1)
}
