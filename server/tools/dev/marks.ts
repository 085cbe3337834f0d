/**
 * Marks in a page which template printed which part: comments around the texts, and before each element, only where HTML allows a comment. The
 * page is sent once, for a click that opens a template, and is never shown.
 */
import { sourceLines } from './source-lines.ts'
import type { PrintedText } from './template-trace.ts'

interface Range extends Pick<PrintedText, 'file' | 'depth'> {
  readonly start: number
  readonly end: number
}

/** Elements whose content has no elements and no comments. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext'])
const ELEMENT = /<[a-z]/i

/** Maximum number of elements of a page whose lines are looked for. */
const MAX_ELEMENTS = 5_000

/**
 * Returns the page with the comments `<!--ingot-begin FILE-->` and `<!--ingot-end-->`, properly nested, and `<!--ingot-line NUMBER-->` before
 * elements.
 * @param sourceOf returns the source of a template; null when it is unknown
 */
export function markedPage(
  page: string,
  printed: readonly PrintedText[],
  sourceOf: (file: string) => string | null,
): string {
  const ranges = nested(locate(page, printed))
  const ends = [...new Set(ranges.flatMap(({ start, end }) => [start, end]))].toSorted((a, b) => a - b)
  const { allowed, elements } = textPlaces(page, ends)
  const before = new Map<number, string>()
  const add = (at: number, mark: string): void => void before.set(at, (before.get(at) ?? '') + mark)
  const shown = ranges.filter(({ start, end }) => allowed.has(start) && allowed.has(end))
  // At one place, the ranges that end there are closed before others are opened.
  for (const { end } of shown) add(end, '<!--ingot-end-->')
  for (const { start, file } of shown) add(start, `<!--ingot-begin ${file.replaceAll('--', '- -')}-->`)
  for (const [at, line] of linesOf(page, shown, elements.slice(0, MAX_ELEMENTS), sourceOf))
    add(at, `<!--ingot-line ${line}-->`)
  let marked = ''
  let at = 0
  for (const place of [...before.keys()].toSorted((a, b) => a - b)) {
    marked += page.slice(at, place) + (before.get(place) ?? '')
    at = place
  }
  return marked + page.slice(at)
}

/** Returns the line for each element that a template with a known source has printed, by its offset in the page. */
function linesOf(
  page: string,
  ranges: readonly Range[],
  elements: readonly number[],
  sourceOf: (file: string) => string | null,
): ReadonlyMap<number, number> {
  const lines = new Map<number, number>()
  const open: OpenRange[] = []
  const close = (): void => {
    const range = open.pop()
    if (range === undefined) return
    range.text += page.slice(range.at, range.end)
    const parent = open.at(-1)
    if (parent !== undefined) parent.at = range.end
    const source = range.elements.length === 0 ? null : sourceOf(range.file)
    if (source === null) return
    const own = { text: range.text, elements: range.elements.map(({ own: at }) => at) }
    for (const [index, line] of sourceLines(source, own).entries()) {
      const element = range.elements[index]
      if (element !== undefined) lines.set(element.at, line)
    }
  }
  const closeBefore = (place: number): void => {
    while ((open.at(-1)?.end ?? Infinity) <= place) close()
  }
  let next = 0
  const addElementsBefore = (place: number): void => {
    for (let at = elements[next]; at !== undefined && at < place; at = elements[++next]) {
      closeBefore(at)
      const range = open.at(-1)
      range?.elements.push({ at, own: range.text.length + at - range.at })
    }
    closeBefore(place)
  }
  for (const { file, start, end } of ranges) {
    addElementsBefore(start)
    const parent = open.at(-1)
    if (parent !== undefined) parent.text += page.slice(parent.at, start)
    open.push({ file, end, text: '', at: start, elements: [] })
  }
  addElementsBefore(page.length)
  while (open.length > 0) close()
  return lines
}

/** A range while its own text is collected, up to the place `at` in the page. */
interface OpenRange {
  readonly file: string
  readonly end: number
  text: string
  at: number
  readonly elements: { readonly at: number; readonly own: number }[]
}

/** Finds the printed texts in the page. Equal texts are found one after the other, in the order in which they were printed. */
function locate(page: string, printed: readonly PrintedText[]): readonly Range[] {
  const next = new Map<string, number>()
  const ranges: Range[] = []
  // Only templates that print elements can be clicked.
  for (const { file, text, depth } of printed.filter((each) => ELEMENT.test(each.text))) {
    const key = `${depth} ${file} ${text}`
    const start = page.indexOf(text, next.get(key) ?? 0)
    // A text that was changed after it was printed, such as Markdown, is not found.
    if (start < 0) continue
    const end = start + text.length
    next.set(key, end)
    ranges.push({ file, depth, start, end })
  }
  return ranges
}

/** Returns the ranges from outside to inside, without those that overlap others in part. */
function nested(ranges: readonly Range[]): readonly Range[] {
  const ordered = ranges.toSorted((a, b) => a.start - b.start || b.end - a.end || a.depth - b.depth)
  const open: Range[] = []
  return ordered.filter((range) => {
    while ((open.at(-1)?.end ?? Infinity) <= range.start) open.pop()
    if (range.end > (open.at(-1)?.end ?? Infinity)) return false
    open.push(range)
    return true
  })
}

/**
 * Returns those of the places that are neither in a tag nor in a comment nor in raw text, and the places where elements begin.
 * @param places in ascending order
 */
function textPlaces(
  page: string,
  places: readonly number[],
): { allowed: ReadonlySet<number>; elements: readonly number[] } {
  const elements: number[] = []
  const allowed = new Set<number>()
  let next = 0
  const skipTo = (end: number): void => {
    while ((places[next] ?? Infinity) < end) next++
  }
  const allowTo = (end: number): void => {
    for (let place = places[next]; place !== undefined && place <= end; place = places[++next]) allowed.add(place)
  }
  const construct = /<(?:!--|[!/?]|([a-z][^\s/>]*))/gi
  for (let found = construct.exec(page); found !== null; found = construct.exec(page)) {
    allowTo(found.index)
    const name = (found[1] ?? '').toLowerCase()
    if (name !== '') elements.push(found.index)
    const closed = found[0] === '<!--' ? after(page, '-->', found.index + 4) : tagEnd(page, construct.lastIndex)
    const end = RAW.has(name) ? rawEnd(page, name, closed) : closed
    skipTo(end)
    construct.lastIndex = end
  }
  allowTo(page.length)
  return { allowed, elements }
}

function after(page: string, text: string, from: number): number {
  const at = page.indexOf(text, from)
  return at < 0 ? page.length : at + text.length
}

function tagEnd(page: string, from: number): number {
  const part = /"[^"]*"|'[^']*'|>/g
  part.lastIndex = from
  for (let found = part.exec(page); found !== null; found = part.exec(page)) if (found[0] === '>') return part.lastIndex
  return page.length
}

/** Returns where the closing tag of raw text ends. */
function rawEnd(page: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  closing.lastIndex = from
  return closing.test(page) ? tagEnd(page, closing.lastIndex) : page.length
}
