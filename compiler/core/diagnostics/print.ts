/** Prints diagnostics for a terminal: the place, the source line with the message below it, the hint, and a summary line. */
import pc from 'picocolors'
import type { Span } from '../source/span.ts'
import type { Diagnostic, Severity } from './diagnostic.ts'
import { type LineRange, lineRangeFinder, type FileTextLookup } from './line-range.ts'
import { formatCount } from './words.ts'
import { getOrMake, groupBy } from '../source/groups.ts'

interface PrintOptions {
  /** Returns the text of a file by its path; undefined if the file could not be read. */
  readonly findText: FileTextLookup
  readonly color: boolean
  /** The width of the terminal in columns. */
  readonly width?: number
  /** The diagnostics that the summary line counts, if not all of them are shown. */
  readonly allDiagnostics?: readonly Diagnostic[]
  /**
   * Groups the output by severity: errors, warnings, remarks. For a frequent code of one of these severities, prints only the first
   * place in full and the others as a list. Without it, the given order is kept, but more than `MAX_UNFOLDED` diagnostics are folded.
   * An empty list never folds.
   */
  readonly folded?: readonly Severity[]
}

/** Maximum number of diagnostics that are not folded by default. */
const MAX_UNFOLDED = 1_000
/** Maximum number of diagnostics of one code that are printed in full when folding. */
const MAX_FULL = 5
/** Maximum number of places in the list of a folded code. */
const MAX_PLACES = 40

/** Replaces a tab. The tab stops of the terminal would misalign the marks. */
const TAB = '  '
const MIN_WIDTH = 40
/** Maximum number of characters to measure on each side of the marked text, because splitting into graphemes needs much memory. */
const MAX_MEASURED = 300

/** Formats diagnostics, each with its source line, and a summary line. Returns an empty text if there are none. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], options: PrintOptions): string {
  if (diagnostics.length === 0) return ''
  const printer: Printer = {
    findText: options.findText,
    lineRangeOf: lineRangeFinder(options.findText),
    lines: new Map(),
    width: Math.max(options.width ?? 100, MIN_WIDTH),
    colors: pc.createColors(options.color),
  }
  const isLong = diagnostics.length > MAX_UNFOLDED && options.folded?.length !== 0
  const folded = isLong ? SEVERITIES : options.folded
  const blocks =
    folded === undefined
      ? diagnostics.map((each) => formatBlock(each, printer))
      : formatFolded(diagnostics, folded, printer)
  return `${blocks.join('\n\n')}\n\n${summary(options.allDiagnostics ?? diagnostics)}\n`
}

/**
 * Formats diagnostics by severity, each in file order. Folds a code with more than `MAX_FULL` diagnostics into the first one and a
 * list.
 */
function formatFolded(
  diagnostics: readonly Diagnostic[],
  folded: readonly Severity[],
  printer: Printer,
): readonly string[] {
  const ordered = SEVERITIES.flatMap((severity) => diagnostics.filter((each) => each.severity === severity))
  // All custom checks have the same code.
  const groupKey = ({ severity, code, check }: Diagnostic) => `${severity} ${code} ${check}`
  const groups = groupBy(ordered, groupKey)
  return ordered.flatMap((each) => {
    const group = groups.get(groupKey(each)) ?? []
    if (group.length <= MAX_FULL || !folded.includes(each.severity)) return [formatBlock(each, printer)]
    // The others are listed below the first one.
    const [firstDiagnostic] = group
    if (firstDiagnostic !== each) return []
    const otherDiagnostics = group.slice(1)
    const places = otherDiagnostics.slice(0, MAX_PLACES).map(({ span }) => formatPlace(span, printer))
    const unlistedCount = otherDiagnostics.length - places.length
    if (unlistedCount > 0) places.push(`and ${unlistedCount} more`)
    const list = wrap(
      `${otherDiagnostics.length} more of ${firstDiagnostic.code}: ${places.join(', ')}`,
      printer.width - 4,
    )
    return [`${formatBlock(firstDiagnostic, printer)}\n${list.map((line) => `    ${line}`).join('\n')}`]
  })
}

/** All severities, most severe first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']

/** Returns a summary such as `2 errors, 1 warning in 3 files`. */
export function summary(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Severity) => diagnostics.filter((each) => each.severity === severity).length
  const parts = [
    [count('error'), 'error'],
    [count('warning'), 'warning'],
    [count('info'), 'remark'],
  ] as const
  const counts = parts.filter(([number]) => number > 0).map(([number, noun]) => formatCount(number, noun))
  if (counts.length === 0) return 'nothing to report'
  return `${counts.join(', ')} in ${formatCount(new Set(diagnostics.map((each) => each.span.file)).size, 'file')}`
}

interface Printer {
  readonly findText: FileTextLookup
  readonly lineRangeOf: (span: Span) => LineRange
  /** The lines of files that were already printed. */
  readonly lines: Map<string, readonly string[]>
  readonly width: number
  readonly colors: ReturnType<typeof pc.createColors>
}

function formatBlock(diagnostic: Diagnostic, printer: Printer): string {
  const { colors } = printer
  const paint = PAINTS[diagnostic.severity](colors)
  const lines = [
    `${colors.bold(formatPlace(diagnostic.span, printer))}  ${paint(diagnostic.severity)}  ${colors.dim(diagnostic.code)}`,
    ...formatFrame(diagnostic.span, escapeControls(diagnostic.message), printer, paint, true),
  ]
  for (const related of diagnostic.related) {
    lines.push(`  ${formatPlace(related.span, printer)}  ${escapeControls(related.message)}`)
    lines.push(...formatFrame(related.span, '', printer, colors.cyan, false))
  }
  if (diagnostic.hint !== undefined) {
    const [first, ...rest] = wrap(`hint: ${lowerFirst(escapeControls(diagnostic.hint))}`, printer.width - 2)
    lines.push(`  ${colors.green(first ?? '')}`, ...rest.map((line) => `        ${colors.green(line)}`))
  }
  return lines.join('\n')
}

const PAINTS: Readonly<Record<Severity, (colors: Printer['colors']) => (text: string) => string>> = {
  error: (colors) => (text) => colors.bold(colors.red(text)),
  warning: (colors) => colors.yellow,
  info: (colors) => colors.cyan,
}

function formatPlace(span: Span, printer: Printer): string {
  const { line, column } = printer.lineRangeOf(span)
  return `${escapeControls(span.file)}:${line}:${column}`
}

/**
 * Formats the first line of a span with marks and the message below it, and the last line of a multi-line span. An empty span at the
 * beginning of a file means the whole file, and has only the message.
 */
function formatFrame(
  span: Span,
  message: string,
  printer: Printer,
  paint: (text: string) => string,
  showsEnd: boolean,
): readonly string[] {
  const text = printer.findText(span.file)
  const wholeFile = span.start === 0 && span.end === 0
  if (text === undefined || text === '' || wholeFile) {
    return message === '' ? [] : wrap(message, printer.width - 4).map((line) => `    ${line}`)
  }
  const range = printer.lineRangeOf(span)
  const source = getOrMake(printer.lines, span.file, () => text.split(/\r?\n/))
  const lineAt = (line: number) => source[line - 1] ?? ''
  const gutter = Math.max(String(range.endLine).length, 3)
  const first = lineAt(range.line)
  const isMultiline = range.endLine > range.line
  const endColumn = isMultiline ? first.length + 1 : range.endColumn
  const lines = [
    ...formatExcerpt(range.line, gutter, first, range.column, endColumn, isMultiline ? '' : message, printer, paint),
  ]
  if (isMultiline && showsEnd) {
    const last = lineAt(range.endLine)
    const indent = last.length - last.trimStart().length + 1
    if (range.endLine > range.line + 1) lines.push(printer.colors.dim(`${' '.repeat(gutter)} ⋮`))
    // A span that ends right after a line feed marks nothing on the next line.
    if (range.endColumn > indent)
      lines.push(...formatExcerpt(range.endLine, gutter, last, indent, range.endColumn, message, printer, paint))
    else if (message !== '') lines.push(...formatBelow(message, gutter, printer, paint))
  }
  return lines
}

/** Formats one numbered source line, shortened around the marked part to the width, and the line with the marks. */
function formatExcerpt(
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
  const textBefore = printable(line.slice(Math.max(0, start - MAX_MEASURED), start))
  const marked = printable(line.slice(start, Math.min(end, start + MAX_MEASURED)))
  const textAfter = printable(line.slice(end, end + MAX_MEASURED))
  const shortened = cutAround(textBefore, marked, textAfter, available)
  const bar = colors.dim('|')
  const lead = ' '.repeat(measure(shortened.textBefore))
  const marks = '^'.repeat(Math.max(measure(shortened.marked), 1))
  const frameLines = [
    `${colors.dim(String(number).padStart(gutter))} ${bar} ${shortened.textBefore}${shortened.marked}${shortened.textAfter}`,
  ]
  const widthBeside = measure(lead) + marks.length + 1 + measure(message) <= available
  frameLines.push(
    `${' '.repeat(gutter)} ${bar} ${lead}${paint(widthBeside && message !== '' ? `${marks} ${message}` : marks)}`,
  )
  if (!widthBeside && message !== '') frameLines.push(...formatBelow(message, gutter, printer, paint))
  return frameLines
}

function formatBelow(
  message: string,
  gutter: number,
  printer: Printer,
  paint: (text: string) => string,
): readonly string[] {
  const bar = printer.colors.dim('|')
  return wrap(message, printer.width - gutter - 3).map((line) => `${' '.repeat(gutter)} ${bar} ${paint(line)}`)
}

/** Shortens the three parts of a line to `available` columns in total, with the marked part as far left as possible. */
function cutAround(
  textBefore: string,
  marked: string,
  textAfter: string,
  available: number,
): { readonly textBefore: string; readonly marked: string; readonly textAfter: string } {
  if (measure(textBefore) + measure(marked) + measure(textAfter) <= available) return { textBefore, marked, textAfter }
  const shortMarked = measure(marked) > available - 10 ? `${truncateEnd(marked, available - 11)}…` : marked
  const remaining = available - measure(shortMarked)
  const widthBefore = Math.max(Math.floor(remaining / 2), remaining - measure(textAfter) - 1)
  const shortBefore = measure(textBefore) <= widthBefore ? textBefore : `…${truncateStart(textBefore, widthBefore - 1)}`
  const rest = remaining - measure(shortBefore)
  return {
    textBefore: shortBefore,
    marked: shortMarked,
    textAfter:
      shortMarked !== marked ? '' : measure(textAfter) <= rest ? textAfter : `${truncateEnd(textAfter, rest - 1)}…`,
  }
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

function graphemes(text: string): readonly string[] {
  return [...GRAPHEMES.segment(text)].map(({ segment }) => segment)
}

function truncateEnd(text: string, available: number): string {
  let width = 0
  let result = ''
  for (const part of graphemes(text)) {
    width += measure(part)
    if (width > available) break
    result += part
  }
  return result
}

function truncateStart(text: string, available: number): string {
  let width = 0
  let taken = ''
  for (const part of graphemes(text).toReversed()) {
    width += measure(part)
    if (width > available) break
    taken = part + taken
  }
  return taken
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const ZERO_WIDTH = /^(?:\p{Mn}|\p{Me}|[\u200b-\u200f])+$/u

/** Returns the width of a text in terminal columns. */
function measure(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const part of graphemes(text)) width += ZERO_WIDTH.test(part) ? 0 : WIDE.test(part) ? 2 : 1
  return width
}

/** Makes source text printable: replaces tabs with spaces and control characters with pictures. */
function printable(text: string): string {
  return escapeControls(text.replaceAll('\t', TAB))
}

/** Replaces control characters with their pictures, and characters that change the text direction with a replacement character. */
function escapeControls(text: string): string {
  return text
    .replace(/[\u0000-\u001f]/g, (char) => String.fromCharCode(0x2400 + char.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}

/** Breaks a text between words into lines of at most `width` columns. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && measure(line) + 1 + measure(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines
}

/** Makes the first letter lower case, for a sentence after a colon. */
function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
