/**
 * Guesses from the layout of lines which tag lacks its end, and which end is surplus. A tag and its end are expected on one line, or at
 * the start of two lines with equal indentation. Used only for templates with mismatched blocks.
 */
import type { Item } from './item.ts'

/** An opening or end tag with the given name. */
interface BlockTag {
  readonly item: Item
  readonly isEnd: boolean
  /** The offset of the start of the tag's line. */
  readonly line: number
  /** The indentation of the tag; null if other text precedes the tag on its line. */
  readonly indent: number | null
}

/** Maximum number of tags with one name for which all combinations are tried. */
const MAX_TAGS = 60

/** The part of a text to search: between two offsets, and either inside a single `liquid` tag or outside of all `liquid` tags. */
export interface TextSection {
  readonly items: readonly Item[]
  readonly text: string
  readonly from: number
  readonly to: number
  /** Returns true if a statement at the offset belongs to this part. */
  readonly isInSection: (start: number) => boolean
}

/** Returns the opening tag whose removal makes the other tags fit best. Returns null unless exactly one tag is unclosed. */
export function findUnclosedByLayout(name: string, section: TextSection): Item | null {
  return findMisfit(findBlockTags(name, section), false, section.text)
}

/** Returns the end tag whose removal makes the other tags fit best. Returns null unless exactly one end is surplus. */
export function findSurplusEndByLayout(name: string, section: TextSection): Item | null {
  return findMisfit(findBlockTags(name, section), true, section.text)
}

/** Returns true if the end of a tag belongs at or before the given line, because that line is not indented deeper. */
export function belongsBefore({ text }: Pick<TextSection, 'text'>, opener: Item, line: number): boolean {
  const mark = toBlockTag(text, opener, false)
  const { indent, line: own } = mark
  if (indent === null || isFollowed(mark, text)) return own === line
  for (let at = nextLine(text, own); at >= 0 && at < line; at = nextLine(text, at)) {
    const indentMatch = /^[ \t]*(?=\S)/.exec(text.slice(at, at + indent + 1))
    if (indentMatch !== null) return false
  }
  return true
}

function nextLine(text: string, line: number): number {
  const end = text.indexOf('\n', line)
  return end < 0 ? -1 : end + 1
}

function findBlockTags(name: string, { items, text, from, to, isInSection: isHere }: TextSection): readonly BlockTag[] {
  const found: { readonly item: Item; readonly isEnd: boolean }[] = []
  for (const item of items) {
    if (item.start < from || item.start > to) continue
    const isEnd = item.kind === 'end' && item.writtenName.name === `end${name}`
    const isOpener = (item.kind === 'open' || item.kind === 'broken') && item.writtenName?.name === name
    if ((isEnd || isOpener) && isHere(item.start)) found.push({ item, isEnd })
    if (found.length > MAX_TAGS) return []
  }
  // Finding the lines of many tags on one long line would take quadratic time.
  return found.map(({ item, isEnd }) => toBlockTag(text, item, isEnd))
}

function toBlockTag(text: string, item: Item, isEnd: boolean): BlockTag {
  const line = text.lastIndexOf('\n', item.start - 1) + 1
  const textBefore = text.slice(line, item.start)
  return { item, isEnd, line, indent: textBefore.trim() === '' ? textBefore.length : null }
}

/** Returns the tag without which the fewest other tags are misplaced. */
function findMisfit(marks: readonly BlockTag[], isEnd: boolean, text: string): Item | null {
  const ends = marks.filter((each) => each.isEnd).length
  if (ends - (marks.length - ends) !== (isEnd ? 1 : -1)) return null
  let best: BlockTag | null = null
  let leastMisfits = Number.POSITIVE_INFINITY
  for (const [index, mark] of marks.entries()) {
    if (mark.isEnd !== isEnd) continue
    const others = marks.toSpliced(index, 1)
    const doubts = isEnd ? 0 : (isEnded(mark, marks, text) ? 2 : 0) + (isSibling(mark, others) ? 1 : 0)
    const misfits = countMisfits(others) * 4 + doubts
    if (misfits > leastMisfits) continue
    leastMisfits = misfits
    best = mark
  }
  return best?.item ?? null
}

const BRANCH = /^[ \t]*(?:\{%-?\s*)?(?:else|elsif|when|catch)\b/

/**
 * Looks at the first line after a tag that is not indented deeper than the tag and is not a branch. Returns true if this line begins with
 * an end tag for it.
 */
function isEnded(mark: BlockTag, marks: readonly BlockTag[], text: string): boolean {
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

/** Returns true if other text follows a tag on its line. Its end tag would then be expected on the same line. */
function isFollowed({ item }: BlockTag, text: string): boolean {
  // `start` is an offset in the text, but `span` is in the file, where front matter precedes the text.
  const end = 'span' in item ? item.start + item.span.end - item.span.start : item.end
  return /^[^\S\n]*\S/.test(text.slice(end, end + MAX_SPACE))
}

/** Maximum white space between a tag and the text after it. */
const MAX_SPACE = 40

/** Returns true if an enclosing pair has the same indentation. Then the tag begins where that pair should have ended. */
function isSibling({ item, indent }: BlockTag, others: readonly BlockTag[]): boolean {
  const open: BlockTag[] = []
  for (const mark of others) {
    if (!mark.isEnd) open.push(mark)
    else if (mark.item.start < item.start) open.pop()
    else return open.some((each) => each.item.start < item.start && each.indent === indent)
  }
  return false
}

/** Counts the pairs of tags that are neither on one line nor on lines with equal indentation. */
function countMisfits(marks: readonly BlockTag[]): number {
  const open: BlockTag[] = []
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
