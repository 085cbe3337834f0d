/** Shows diagnostics in a terminal: the place, the line of the template with the words below it, a hint, and a last line that counts. */
import pc from 'picocolors'
import type { Span } from '../source/span.ts'
import type { Diagnostic, Severity } from './diagnostic.ts'
import { type LineRange, lineRangeFinder, type TextOf } from './line-range.ts'
import { counted } from './words.ts'

export interface PrintOptions {
  /** The text of a file by its path; undefined for one that could not be read. */
  readonly texts: TextOf
  readonly color: boolean
  /** Columns of the terminal. */
  readonly width?: number
  /** What the last line counts, where some of it is not shown. */
  readonly all?: readonly Diagnostic[]
  /**
   * Errors first, then warnings, then remarks; and where a code of one of these severities comes up often, one of its places whole and the
   * others as a list. More diagnostics than anybody reads are folded without it, unless it is empty; fewer are whole, in the order given.
   */
  readonly folded?: readonly Severity[]
}

/** More than this number of diagnostics are folded without being asked to. */
const MOST_IN_ORDER = 1_000
/** Where diagnostics are folded, more than this number of one code are shown as the first one and a list. */
const MOST_WHOLE = 5
/** Places that a list of the others names. */
const MOST_PLACES = 40

/** Columns that a tab takes; the terminal's own stops would move the marks away from what they mark. */
const TAB = '  '
const NARROWEST = 40
/** Characters of a line on either side that are measured to be shown: splitting a text into graphemes takes much memory. */
const MOST_MEASURED = 300

/** Prints diagnostics in the order given, each with its frame, and a line that counts them. Empty text for none. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], options: PrintOptions): string {
  if (diagnostics.length === 0) return ''
  const printer: Printer = {
    textOf: options.texts,
    lineRangeOf: lineRangeFinder(options.texts),
    lines: new Map(),
    width: Math.max(options.width ?? 100, NARROWEST),
    colors: pc.createColors(options.color),
  }
  const isLong = diagnostics.length > MOST_IN_ORDER && options.folded?.length !== 0
  const folded = isLong ? SEVERITIES : options.folded
  const blocks =
    folded === undefined ? diagnostics.map((each) => block(each, printer)) : foldedBlocks(diagnostics, folded, printer)
  return `${blocks.join('\n\n')}\n\n${summary(options.all ?? diagnostics)}\n`
}

/** The blocks by severity; each in the order of the files; of more than `MOST_WHOLE` of one code that may be folded, the first one and the places of the others. */
function foldedBlocks(
  diagnostics: readonly Diagnostic[],
  folded: readonly Severity[],
  printer: Printer,
): readonly string[] {
  const groups = new Map<string, Diagnostic[]>()
  const ordered = SEVERITIES.flatMap((severity) => diagnostics.filter((each) => each.severity === severity))
  const groupOf = ({ severity, code }: Diagnostic) => `${severity} ${code}`
  for (const each of ordered) {
    const group = groups.get(groupOf(each))
    if (group === undefined) groups.set(groupOf(each), [each])
    else group.push(each)
  }
  return ordered.flatMap((each) => {
    const group = groups.get(groupOf(each)) ?? []
    if (group.length <= MOST_WHOLE || !folded.includes(each.severity)) return [block(each, printer)]
    // The others are listed below the first one.
    const [first] = group
    if (first !== each) return []
    const others = group.slice(1)
    const places = others.slice(0, MOST_PLACES).map(({ span }) => where(span, printer))
    const more = others.length - places.length
    if (more > 0) places.push(`and ${more} more`)
    const list = wrap(`${others.length} more of ${first.code}: ${places.join(', ')}`, printer.width - 4)
    return [`${block(first, printer)}\n${list.map((line) => `    ${line}`).join('\n')}`]
  })
}

/** From the worst. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']

/** `2 errors, 1 warning in 3 files`. */
export function summary(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Severity) => diagnostics.filter((each) => each.severity === severity).length
  const parts = [
    [count('error'), 'error'],
    [count('warning'), 'warning'],
    [count('info'), 'remark'],
  ] as const
  const counts = parts.filter(([number]) => number > 0).map(([number, noun]) => counted(number, noun))
  if (counts.length === 0) return 'nothing to report'
  return `${counts.join(', ')} in ${counted(new Set(diagnostics.map((each) => each.span.file)).size, 'file')}`
}

interface Printer {
  readonly textOf: TextOf
  readonly lineRangeOf: (span: Span) => LineRange
  /** Of the files that were shown. */
  readonly lines: Map<string, readonly string[]>
  readonly width: number
  readonly colors: ReturnType<typeof pc.createColors>
}

function block(diagnostic: Diagnostic, printer: Printer): string {
  const { colors } = printer
  const paint = PAINTS[diagnostic.severity](colors)
  const lines = [
    `${colors.bold(where(diagnostic.span, printer))}  ${paint(diagnostic.severity)}  ${colors.dim(diagnostic.code)}`,
    ...frame(diagnostic.span, visible(diagnostic.message), printer, paint, true),
  ]
  for (const related of diagnostic.related) {
    lines.push(`  ${where(related.span, printer)}  ${visible(related.message)}`)
    lines.push(...frame(related.span, '', printer, colors.cyan, false))
  }
  if (diagnostic.hint !== undefined) {
    const [first, ...rest] = wrap(`hint: ${lower(visible(diagnostic.hint))}`, printer.width - 2)
    lines.push(`  ${colors.green(first ?? '')}`, ...rest.map((line) => `        ${colors.green(line)}`))
  }
  return lines.join('\n')
}

const PAINTS: Readonly<Record<Severity, (colors: Printer['colors']) => (text: string) => string>> = {
  error: (colors) => (text) => colors.bold(colors.red(text)),
  warning: (colors) => colors.yellow,
  info: (colors) => colors.cyan,
}

function where(span: Span, printer: Printer): string {
  const { line, column } = printer.lineRangeOf(span)
  return `${visible(span.file)}:${line}:${column}`
}

/**
 * The first line of a span with marks below it and the message behind them, and its last line where it spans several. A place
 * that says nothing (an empty span at the beginning of a file) has its message alone.
 */
function frame(
  span: Span,
  message: string,
  printer: Printer,
  paint: (text: string) => string,
  showsEnd: boolean,
): readonly string[] {
  const text = printer.textOf(span.file)
  const wholeFile = span.start === 0 && span.end === 0
  if (text === undefined || text === '' || wholeFile) {
    return message === '' ? [] : wrap(message, printer.width - 4).map((line) => `    ${line}`)
  }
  const range = printer.lineRangeOf(span)
  let source = printer.lines.get(span.file)
  if (source === undefined) {
    source = text.split(/\r?\n/)
    printer.lines.set(span.file, source)
  }
  const lineAt = (line: number) => source[line - 1] ?? ''
  const gutter = Math.max(String(range.endLine).length, 3)
  const first = lineAt(range.line)
  const isMultiline = range.endLine > range.line
  const endColumn = isMultiline ? first.length + 1 : range.endColumn
  const lines = [
    ...excerpt(range.line, gutter, first, range.column, endColumn, isMultiline ? '' : message, printer, paint),
  ]
  if (isMultiline && showsEnd) {
    const last = lineAt(range.endLine)
    const indent = last.length - last.trimStart().length + 1
    if (range.endLine > range.line + 1) lines.push(printer.colors.dim(`${' '.repeat(gutter)} ⋮`))
    // A span that ends behind a line feed marks nothing on the line that follows.
    if (range.endColumn > indent)
      lines.push(...excerpt(range.endLine, gutter, last, indent, range.endColumn, message, printer, paint))
    else if (message !== '') lines.push(...below(message, gutter, printer, paint))
  }
  return lines
}

/** One line of source with a number before it, cut to the width around its marked part, and the marks. */
function excerpt(
  number: number,
  gutter: number,
  line: string,
  column: number,
  endColumn: number,
  message: string,
  printer: Printer,
  paint: (text: string) => string,
): readonly string[] {
  const { colors } = printer
  const available = printer.width - gutter - 3
  const [start, end] = [column - 1, endColumn - 1]
  const before = shown(line.slice(Math.max(0, start - MOST_MEASURED), start))
  const marked = shown(line.slice(start, Math.min(end, start + MOST_MEASURED)))
  const after = shown(line.slice(end, end + MOST_MEASURED))
  const cut = cutAround(before, marked, after, available)
  const bar = colors.dim('|')
  const lead = ' '.repeat(columns(cut.before))
  const marks = '^'.repeat(Math.max(columns(cut.marked), 1))
  const lines = [`${colors.dim(String(number).padStart(gutter))} ${bar} ${cut.before}${cut.marked}${cut.after}`]
  const beside = columns(lead) + marks.length + 1 + columns(message) <= available
  lines.push(`${' '.repeat(gutter)} ${bar} ${lead}${paint(beside && message !== '' ? `${marks} ${message}` : marks)}`)
  if (!beside && message !== '') lines.push(...below(message, gutter, printer, paint))
  return lines
}

function below(message: string, gutter: number, printer: Printer, paint: (text: string) => string): readonly string[] {
  const bar = printer.colors.dim('|')
  return wrap(message, printer.width - gutter - 3).map((line) => `${' '.repeat(gutter)} ${bar} ${paint(line)}`)
}

/** Parts of a line that together fit into `room` columns, the marked part as far left as its surroundings allow. */
function cutAround(
  before: string,
  marked: string,
  after: string,
  available: number,
): { readonly before: string; readonly marked: string; readonly after: string } {
  if (columns(before) + columns(marked) + columns(after) <= available) return { before, marked, after }
  const shortMarked = columns(marked) > available - 10 ? `${take(marked, available - 11)}…` : marked
  const left = available - columns(shortMarked)
  const keep = Math.max(Math.floor(left / 2), left - columns(after) - 1)
  const shortBefore = columns(before) <= keep ? before : `…${takeEnd(before, keep - 1)}`
  const rest = left - columns(shortBefore)
  return {
    before: shortBefore,
    marked: shortMarked,
    after: shortMarked !== marked ? '' : columns(after) <= rest ? after : `${take(after, rest - 1)}…`,
  }
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

function graphemes(text: string): readonly string[] {
  return [...GRAPHEMES.segment(text)].map(({ segment }) => segment)
}

function take(text: string, available: number): string {
  let width = 0
  let taken = ''
  for (const part of graphemes(text)) {
    width += columns(part)
    if (width > available) break
    taken += part
  }
  return taken
}

function takeEnd(text: string, available: number): string {
  let width = 0
  let taken = ''
  for (const part of graphemes(text).toReversed()) {
    width += columns(part)
    if (width > available) break
    taken = part + taken
  }
  return taken
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const NOTHING = /^(?:\p{Mn}|\p{Me}|[\u200b-\u200f])+$/u

/** Columns that a text takes in a terminal. */
function columns(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const part of graphemes(text)) width += NOTHING.test(part) ? 0 : WIDE.test(part) ? 2 : 1
  return width
}

/** Source as it can be shown: tabs as spaces, and nothing that a terminal would obey. */
function shown(text: string): string {
  return visible(text.replaceAll('\t', TAB))
}

/** Control characters as their pictures, characters that turn the direction of reading as a question mark. */
function visible(text: string): string {
  return text
    .replace(/[\u0000-\u001f]/g, (char) => String.fromCharCode(0x2400 + char.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}

/** Lines of at most `width` columns, broken between words. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && columns(line) + 1 + columns(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines
}

/** A sentence that goes on behind a colon. */
function lower(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
