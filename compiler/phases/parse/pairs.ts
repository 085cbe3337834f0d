/**
 * Which end tags belong to which tags in a file with a misspelled block or the end of another block. It is asked only for such
 * files, so that one mistake is reported once, and not again at each branch and end that follows from it.
 */
import { findNearest } from '../../core/diagnostics/suggest.ts'
import type { Item } from './item.ts'

export interface TagPairs {
  /** Unknown tags that an end tag closes, with the name of that end tag without `end`. */
  readonly closedAs: ReadonlyMap<Item, string>
  /** Blocks without an end tag of their own. */
  readonly unclosed: ReadonlySet<Item>
  /** Ends of blocks further out that stand where the innermost block was to end: there is one too many of the one, and one too few of the other. */
  readonly swapped: ReadonlySet<Item>
}

interface OpenTag {
  readonly item: Item
  readonly name: string
  readonly lines: number
  readonly known: boolean
}

/** How many unknown tags an end tag is compared with, so that a text full of them takes no quadratic time. */
const LOOK_BACK = 30

/** Pairs the items of one file; `linesOf` gives the liquid tag that a statement stands in, or -1. */
export function pairsOf(items: readonly Item[], linesOf: (start: number) => number): TagPairs {
  const closedAs = new Map<Item, string>()
  const unclosed = new Set<Item>()
  const swapped = new Set<Item>()
  const stack: OpenTag[] = []
  /** Open blocks by name and liquid tag, so that an end knows at once whether it has one. */
  const open = new Map<string, number>()
  const keyOf = (name: string, lines: number) => `${name} ${lines}`
  const surplus = surplusOf(items, linesOf, keyOf)
  const count = (block: OpenTag, by: number) => {
    const key = keyOf(block.name, block.lines)
    if (block.known) open.set(key, (open.get(key) ?? 0) + by)
  }
  const dropInnermost = () => {
    const block = stack.pop()
    if (block === undefined) throw new Error('no block is open')
    count(block, -1)
    if (block.known) unclosed.add(block.item)
  }
  for (const item of items) {
    if (item.kind !== 'open' && item.kind !== 'broken' && item.kind !== 'unknown' && item.kind !== 'end') continue
    const lines = linesOf(item.start)
    // A liquid tag ends what was opened in it.
    for (let top = stack.at(-1); top !== undefined && top.lines >= 0 && top.lines !== lines; top = stack.at(-1))
      dropInnermost()
    if (item.kind === 'end') {
      const name = item.written.name.slice(3)
      const key = keyOf(name, lines)
      const innermost = stack.at(-1)
      if (innermost?.known && innermost.lines === lines && innermost.name !== name) {
        const own = keyOf(innermost.name, lines)
        if ((surplus.get(key) ?? 0) > 0 && (surplus.get(own) ?? 0) < 0) {
          surplus.set(key, (surplus.get(key) ?? 0) - 1)
          surplus.set(own, (surplus.get(own) ?? 0) + 1)
          swapped.add(item)
          dropInnermost()
          continue
        }
      }
      const opener = misspelledTagFor(stack, name, lines)
      // Where there are more end tags of this name than blocks, a block further out has an end tag of its own.
      const closesOuterBlock = opener >= 0 && (surplus.get(key) ?? 0) > 0
      if (!closesOuterBlock && (open.get(key) ?? 0) > 0) {
        while (stack.at(-1)?.name !== name || stack.at(-1)?.lines !== lines || stack.at(-1)?.known !== true)
          dropInnermost()
        const closed = stack.pop()
        if (closed !== undefined) count(closed, -1)
        continue
      }
      const opened = stack[opener]
      if (opened === undefined) continue
      surplus.set(key, (surplus.get(key) ?? 0) - 1)
      closedAs.set(opened.item, name)
      stack.length = opener
      continue
    }
    if (item.written === null || (item.kind !== 'unknown' && !isBlock(item))) continue
    const block = { item, name: item.written.name, lines, known: item.kind !== 'unknown' }
    stack.push(block)
    count(block, 1)
  }
  while (stack.length > 0) dropInnermost()
  return { closedAs, unclosed, swapped }
}

/** How many more ends there are than blocks, by name and liquid tag. */
function surplusOf(
  items: readonly Item[],
  linesOf: (start: number) => number,
  keyOf: (name: string, lines: number) => string,
): Map<string, number> {
  const surplus = new Map<string, number>()
  const add = (name: string, start: number, by: number) => {
    const key = keyOf(name, linesOf(start))
    surplus.set(key, (surplus.get(key) ?? 0) + by)
  }
  for (const item of items) {
    if (item.kind === 'end') add(item.written.name.slice(3), item.start, 1)
    else if ((item.kind === 'open' || item.kind === 'broken') && item.written !== null && isBlock(item))
      add(item.written.name, item.start, -1)
  }
  return surplus
}

function isBlock(item: Extract<Item, { kind: 'open' | 'broken' }>): boolean {
  const { tag } = item
  if (tag === null) return false
  if (typeof tag.shape !== 'function') return tag.shape === 'block'
  return item.kind === 'open' && tag.shape(item.markup) === 'block'
}

/** The index of the unknown tag that an end tag likely closes, among those inside of the innermost block; -1 for none. */
function misspelledTagFor(stack: readonly OpenTag[], name: string, lines: number): number {
  const names = new Map<string, number>()
  for (let at = stack.length - 1; at >= Math.max(0, stack.length - LOOK_BACK); at--) {
    const block = stack[at]
    if (block === undefined || block.known || block.lines !== lines) break
    if (!names.has(block.name)) names.set(block.name, at)
  }
  const likely = names.get(name) ?? names.get(findNearest(name, names.keys()) ?? '')
  if (likely !== undefined) return likely
  // The only unknown tag: nothing else can be what the end tag closes.
  const [only = -1] = names.values()
  return names.size === 1 ? only : -1
}
