/** `strip_html`: the text of an HTML fragment, in linear time. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/** The text without tags and comments, and without scripts and styles including their content. */
export function strip_html(input: Textual): string {
  const text = str(input)
  if (!text.includes('<')) return text
  return removeTags(removeBlocks(text))
}

interface DroppedElement {
  readonly open: string
  readonly close: string
}

const BLOCKS: readonly DroppedElement[] = [
  { open: '<script', close: '</script>' },
  { open: '<!--', close: '-->' },
  { open: '<style', close: '</style>' },
]

const OPEN = /<(?:script|style|!--)/g

/** Removes scripts, styles and comments first. What remains may form new tags, which are removed next, as in the reference. */
function removeBlocks(text: string): string {
  OPEN.lastIndex = 0
  if (!OPEN.test(text)) return text
  const unclosed = new Set<DroppedElement>()
  let out = ''
  let copiedTo = 0
  OPEN.lastIndex = 0
  for (let openMatch = OPEN.exec(text); openMatch !== null; openMatch = OPEN.exec(text)) {
    const [opening] = openMatch
    const block = BLOCKS.find(({ open }) => open === opening)
    if (block === undefined) continue
    const end = unclosed.has(block) ? -1 : text.indexOf(block.close, openMatch.index + block.open.length)
    if (end < 0) {
      // Remembers that the end is missing, because searching for it again each time would take quadratic time.
      unclosed.add(block)
      continue
    }
    out += text.slice(copiedTo, openMatch.index)
    copiedTo = end + block.close.length
    OPEN.lastIndex = copiedTo
  }
  OPEN.lastIndex = 0
  return out + text.slice(copiedTo)
}

function removeTags(text: string): string {
  let start = text.indexOf('<')
  if (start < 0) return text
  let out = ''
  let copiedTo = 0
  while (start >= 0) {
    const end = text.indexOf('>', start + 1)
    if (end < 0) break
    out += text.slice(copiedTo, start)
    copiedTo = end + 1
    start = text.indexOf('<', copiedTo)
  }
  return out + text.slice(copiedTo)
}
