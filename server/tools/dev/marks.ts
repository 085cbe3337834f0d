/**
 * Marks in a page which template printed which part: comments around the texts, only where HTML allows a comment. The page is sent once, for a
 * click that opens a template, and is never shown.
 */
import type { PrintedText } from './template-trace.ts'

interface Range extends Pick<PrintedText, 'file' | 'depth'> {
  readonly start: number
  readonly end: number
}

/** Elements whose content has no elements and no comments. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext'])
const ELEMENT = /<[a-z]/i

/** Returns the page with the comments `<!--ingot-begin FILE-->` and `<!--ingot-end-->`, properly nested. */
export function markedPage(page: string, printed: readonly PrintedText[]): string {
  const ranges = nested(locate(page, printed))
  const places = [...new Set(ranges.flatMap(({ start, end }) => [start, end]))].toSorted((a, b) => a - b)
  const allowed = textPlaces(page, places)
  const before = new Map<number, string>()
  const add = (at: number, mark: string): void => void before.set(at, (before.get(at) ?? '') + mark)
  const shown = ranges.filter(({ start, end }) => allowed.has(start) && allowed.has(end))
  // At one place, the ranges that end there are closed before others are opened.
  for (const { end } of shown) add(end, '<!--ingot-end-->')
  for (const { start, file } of shown) add(start, `<!--ingot-begin ${file.replaceAll('--', '- -')}-->`)
  let marked = ''
  let at = 0
  for (const place of places) {
    marked += page.slice(at, place) + (before.get(place) ?? '')
    at = place
  }
  return marked + page.slice(at)
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

/** Returns those of the places that are neither in a tag nor in a comment nor in raw text. @param places in ascending order */
function textPlaces(page: string, places: readonly number[]): ReadonlySet<number> {
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
    const closed = found[0] === '<!--' ? after(page, '-->', found.index + 4) : tagEnd(page, construct.lastIndex)
    const end = RAW.has(name) ? rawEnd(page, name, closed) : closed
    skipTo(end)
    construct.lastIndex = end
  }
  allowTo(page.length)
  return allowed
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
