/** Limits the work of a Markdown converter, because some texts take much longer than their length suggests. */
import type { MarkdownIt } from 'markdown-it'
import { LimitFault } from '../../fault.ts'

/**
 * Maximum number of steps for one text. It allows 400 kilobytes of lists, tables and emphasis, or more plain text,
 * and takes about half a second.
 */
const MAX_STEPS = 250_000
/** The steps of a block, because the converter creates tokens for each block. */
const BLOCK = 4
/** The steps of a text in a block, such as a table cell. */
const TEXT = 3
/** The number of characters that count as one step. */
const CHARACTERS = 16
/** The number of look-backs that count as one step. Links that are not closed cause many look-backs. */
const LOOK_BACKS = 64

/**
 * Makes a converter count its steps. Call the returned function before each text to reset the count.
 * @throws LimitFault, from the converter, when a text takes too many
 */
export function countSteps(converter: MarkdownIt): (text: string) => void {
  let steps = 0
  const count = (stepCount: number): false => {
    steps += stepCount
    if (steps > MAX_STEPS) throw new LimitFault(`\`markdown\` took more than ${MAX_STEPS} steps for one text`, 'steps')
    return false
  }
  const { inline, block } = converter
  block.ruler.before('table', 'steps', () => count(BLOCK), { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  // A run of emphasis characters is parsed at once, but each character counts separately.
  inline.ruler.before('text', 'steps', ({ src, pos }) => count(runLength(src, pos)))
  const { parse, skipToken } = inline
  inline.parse = (...given) => {
    count(TEXT)
    parse.apply(inline, given)
  }
  inline.skipToken = (state) => {
    count(1 / LOOK_BACKS)
    skipToken.call(inline, state)
  }
  return (text) => {
    steps = 0
    count(text.length / CHARACTERS)
  }
}

/** Returns the length of the run of emphasis characters at `pos`; 1 for other characters. */
function runLength(src: string, pos: number): number {
  const character = src[pos]
  if (character !== '*' && character !== '_' && character !== '~') return 1
  let end = pos + 1
  while (src[end] === character) end++
  return end - pos
}
