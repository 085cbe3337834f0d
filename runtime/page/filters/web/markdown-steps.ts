/** Counts the work of a Markdown converter and ends it: some texts take it far longer than their length. */
import type { MarkdownIt } from 'markdown-it'
import { LimitFault } from '../../fault.ts'

/** Most steps of one text: 400 kilobytes of lists, tables and emphasis, more of plain text, and about half a second of any. */
const MAX_STEPS = 250_000
/** Steps that a block counts for, and a text in it, such as a cell of a table: they have tokens of their own. */
const BLOCK = 4
const TEXT = 3
/** Characters that count for one step, whatever they are. */
const CHARACTERS = 16
/** Looks at what was read before that count for one step: links that are not closed make many. */
const LOOKS = 64

/**
 * Makes a converter count its steps; what it gives begins to count, and is called before each text.
 * @throws LimitFault, from the converter, when a text takes too many
 */
export function countSteps(converter: MarkdownIt): (text: string) => void {
  let steps = 0
  const count = (more: number): false => {
    steps += more
    if (steps > MAX_STEPS) throw new LimitFault(`\`markdown\` took more than ${MAX_STEPS} steps for one text`, 'steps')
    return false
  }
  const { inline, block } = converter
  block.ruler.before('table', 'steps', () => count(BLOCK), { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  // Signs of emphasis that follow each other are read at once, each for itself.
  inline.ruler.before('text', 'steps', ({ src, pos }) => count(runOf(src, pos)))
  const { parse, skipToken } = inline
  inline.parse = (...given) => {
    count(TEXT)
    parse.apply(inline, given)
  }
  inline.skipToken = (state) => {
    count(1 / LOOKS)
    skipToken.call(inline, state)
  }
  return (text) => {
    steps = 0
    count(text.length / CHARACTERS)
  }
}

/** How often the sign of emphasis at `pos` stands there; once for anything else. */
function runOf(src: string, pos: number): number {
  const sign = src[pos]
  if (sign !== '*' && sign !== '_' && sign !== '~') return 1
  let end = pos + 1
  while (src[end] === sign) end++
  return end - pos
}
