/**
 * Which tag an author most likely forgot to close, and which end stands there for nothing, by how the lines are laid out: a tag and its
 * end stand on one line, or each begins a line and both are indented alike. It is asked only where blocks do not fit.
 */
import type { Item } from './item.ts'

/** A tag of one name, or an end of it. */
interface Mark {
  readonly item: Item
  readonly isEnd: boolean
  /** Where its line begins. */
  readonly line: number
  /** How far it is indented; null where something stands before it on its line. */
  readonly indent: number | null
}

/** Tags of one name up to which all are tried. */
const MOST_MARKS = 60

/** Where tags are looked for: between two places of a text, in one `liquid` tag or outside of all. */
export interface Stretch {
  readonly items: readonly Item[]
  readonly text: string
  readonly from: number
  readonly to: number
  /** Whether a statement at the place belongs here. */
  readonly isHere: (start: number) => boolean
}

/** The tag of the name without which the others fit best; null where more than one is open, or none. */
export function openByLayout(name: string, stretch: Stretch): Item | null {
  return oddOne(marksOf(name, stretch), false, stretch.text)
}

/** The end of the name without which the others fit best; null where more than one is too many, or none. */
export function surplusByLayout(name: string, stretch: Stretch): Item | null {
  return oddOne(marksOf(name, stretch), true, stretch.text)
}

/** Whether the end of a tag belongs to the line that begins there, or before it: a line that is indented no deeper. */
export function belongsBefore({ text }: Pick<Stretch, 'text'>, opener: Item, line: number): boolean {
  const mark = markOf(text, opener, false)
  const { indent, line: own } = mark
  if (indent === null || isFollowed(mark, text)) return own === line
  for (let at = nextLine(text, own); at >= 0 && at < line; at = nextLine(text, at)) {
    const found = /^[ \t]*(?=\S)/.exec(text.slice(at, at + indent + 1))
    if (found !== null) return false
  }
  return true
}

function nextLine(text: string, line: number): number {
  const end = text.indexOf('\n', line)
  return end < 0 ? -1 : end + 1
}

function marksOf(name: string, { items, text, from, to, isHere }: Stretch): readonly Mark[] {
  const marks: Mark[] = []
  for (const item of items) {
    if (item.start < from || item.start > to) continue
    const isEnd = item.kind === 'end' && item.written.name === `end${name}`
    const isOpener = (item.kind === 'open' || item.kind === 'broken') && item.written?.name === name
    if ((isEnd || isOpener) && isHere(item.start)) marks.push(markOf(text, item, isEnd))
    if (marks.length > MOST_MARKS) return []
  }
  return marks
}

function markOf(text: string, item: Item, isEnd: boolean): Mark {
  const line = text.lastIndexOf('\n', item.start - 1) + 1
  const before = text.slice(line, item.start)
  return { item, isEnd, line, indent: before.trim() === '' ? before.length : null }
}

/** The mark of one kind without which the fewest of the others do not fit. */
function oddOne(marks: readonly Mark[], isEnd: boolean, text: string): Item | null {
  const ends = marks.filter((each) => each.isEnd).length
  if (ends - (marks.length - ends) !== (isEnd ? 1 : -1)) return null
  let best: Mark | null = null
  let least = Number.POSITIVE_INFINITY
  for (const [index, mark] of marks.entries()) {
    if (mark.isEnd !== isEnd) continue
    const others = marks.toSpliced(index, 1)
    const doubts = isEnd ? 0 : (isEnded(mark, marks, text) ? 2 : 0) + (isSibling(mark, others) ? 1 : 0)
    const misfits = misfitsOf(others) * 4 + doubts
    if (misfits > least) continue
    least = misfits
    best = mark
  }
  return best?.item ?? null
}

const BRANCH = /^[ \t]*(?:\{%-?\s*)?(?:else|elsif|when|catch)\b/

/** Whether the first line behind a tag that is indented no deeper, and is no branch, begins with an end of it. */
function isEnded(mark: Mark, marks: readonly Mark[], text: string): boolean {
  const { line, indent } = mark
  if (indent === null || isFollowed(mark, text)) return false
  for (let at = nextLine(text, line); at >= 0; at = nextLine(text, at)) {
    const begin = text.slice(at, at + indent + 40)
    const depth = begin.search(/[^ \t]/)
    if (depth < 0 || depth > indent || begin[depth] === '\n' || BRANCH.test(begin)) continue
    return marks.some((each) => each.isEnd && each.line === at)
  }
  return false
}

/** Whether something stands behind a tag on its line: its end would stand there as well. */
function isFollowed({ item }: Mark, text: string): boolean {
  const end = 'span' in item ? item.span.end : item.end
  return /^[^\S\n]*\S/.test(text.slice(end, end + MOST_SPACE))
}

/** Most white space between a tag and what follows it. */
const MOST_SPACE = 40

/** Whether one of the pairs that are left stands around a tag and is indented as it is: the tag begins where that was to end. */
function isSibling({ item, indent }: Mark, others: readonly Mark[]): boolean {
  const open: Mark[] = []
  for (const mark of others) {
    if (!mark.isEnd) open.push(mark)
    else if (mark.item.start < item.start) open.pop()
    else return open.some((each) => each.item.start < item.start && each.indent === indent)
  }
  return false
}

/** How many pairs are not laid out as pairs. */
function misfitsOf(marks: readonly Mark[]): number {
  const open: Mark[] = []
  let misfits = 0
  for (const mark of marks) {
    if (!mark.isEnd) {
      open.push(mark)
      continue
    }
    const opener = open.pop()
    if (opener === undefined) return Number.POSITIVE_INFINITY
    const fits = opener.line === mark.line || (opener.indent !== null && opener.indent === mark.indent)
    if (!fits) misfits++
  }
  return misfits
}
