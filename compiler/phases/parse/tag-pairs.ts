/**
 * Matches end tags to opening tags in a file with a misspelled or mismatched block. Used only for such files, so that one mistake is not
 * reported again at each later branch and end tag.
 */
import { findNearest } from '../../core/diagnostics/suggest.ts'
import type { Item } from './item.ts'

export interface TagPairs {
  /** Unknown tags that an end tag closes, each with the name of that end tag without `end`. */
  readonly closedAs: ReadonlyMap<Item, string>
  /** Blocks without an end tag. */
  readonly unclosed: ReadonlySet<Item>
  /** End tags of outer blocks at the place where the innermost block should end. The end tag of the innermost block is missing. */
  readonly swapped: ReadonlySet<Item>
}

interface OpenTag {
  readonly item: Item
  readonly name: string
  readonly lines: number
  readonly isKnown: boolean
}

/** Maximum number of unknown tags to compare with an end tag. The limit keeps the time linear. */
const MAX_COMPARED = 30

/** Pairs the items of one file. `linesOf` returns the start of the `liquid` tag that contains a statement, or -1. */
export function pairTags(items: readonly Item[], linesOf: (start: number) => number): TagPairs {
  const closedAs = new Map<Item, string>()
  const unclosed = new Set<Item>()
  const swapped = new Set<Item>()
  const stack: OpenTag[] = []
  /** Counts open blocks by name and liquid tag, so that an end tag is matched in constant time. */
  const open = new Map<string, number>()
  const keyOf = (name: string, lines: number) => `${name} ${lines}`
  const surplus = countSurplusEnds(items, linesOf, keyOf)
  const count = (block: OpenTag, by: number) => {
    const key = keyOf(block.name, block.lines)
    if (block.isKnown) open.set(key, (open.get(key) ?? 0) + by)
  }
  const dropInnermost = () => {
    const block = stack.pop()
    if (block === undefined) throw new Error('no block is open')
    count(block, -1)
    if (block.isKnown) unclosed.add(block.item)
  }
  for (const item of items) {
    if (item.kind !== 'open' && item.kind !== 'broken' && item.kind !== 'unknown' && item.kind !== 'end') continue
    const lines = linesOf(item.start)
    // The end of a liquid tag closes the blocks opened in it.
    for (let top = stack.at(-1); top !== undefined && top.lines >= 0 && top.lines !== lines; top = stack.at(-1))
      dropInnermost()
    if (item.kind === 'end') {
      const name = item.writtenName.name.slice(3)
      const key = keyOf(name, lines)
      const innermost = stack.at(-1)
      if (innermost?.isKnown && innermost.lines === lines && innermost.name !== name) {
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
      // If end tags of this name outnumber blocks, an outer block has its own end tag.
      const closesOuterBlock = opener >= 0 && (surplus.get(key) ?? 0) > 0
      if (!closesOuterBlock && (open.get(key) ?? 0) > 0) {
        while (stack.at(-1)?.name !== name || stack.at(-1)?.lines !== lines || stack.at(-1)?.isKnown !== true)
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
    if (item.writtenName === null || (item.kind !== 'unknown' && !isBlock(item))) continue
    const block = { item, name: item.writtenName.name, lines, isKnown: item.kind !== 'unknown' }
    stack.push(block)
    count(block, 1)
  }
  while (stack.length > 0) dropInnermost()
  return { closedAs, unclosed, swapped }
}

/** Counts surplus end tags by name and liquid tag. */
function countSurplusEnds(
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
    if (item.kind === 'end') add(item.writtenName.name.slice(3), item.start, 1)
    else if ((item.kind === 'open' || item.kind === 'broken') && item.writtenName !== null && isBlock(item))
      add(item.writtenName.name, item.start, -1)
  }
  return surplus
}

function isBlock(item: Extract<Item, { kind: 'open' | 'broken' }>): boolean {
  const { tag } = item
  if (tag === null) return false
  if (typeof tag.shape !== 'function') return tag.shape === 'block'
  return item.kind === 'open' && tag.shape(item.markup) === 'block'
}

/** Returns the index of the unknown tag in the innermost block that an end tag probably closes, or -1. */
function misspelledTagFor(stack: readonly OpenTag[], name: string, lines: number): number {
  const names = new Map<string, number>()
  for (let at = stack.length - 1; at >= Math.max(0, stack.length - MAX_COMPARED); at--) {
    const block = stack[at]
    if (block === undefined || block.isKnown || block.lines !== lines) break
    if (!names.has(block.name)) names.set(block.name, at)
  }
  const likely = names.get(name) ?? names.get(findNearest(name, names.keys()) ?? '')
  if (likely !== undefined) return likely
  // If there is only one unknown tag, the end tag can close no other one.
  const [only = -1] = names.values()
  return names.size === 1 ? only : -1
}
