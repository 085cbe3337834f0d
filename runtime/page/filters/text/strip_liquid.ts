/** `strip_liquid`: a text without Liquid tags. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

export const dialect = 'platform'

/** The text without its tags and outputs. Text between tags is kept. */
export function strip_liquid(input: Textual): string {
  let text = str(input)
  for (const [open, close] of [
    ['{%', '%}'],
    ['{{', '}}'],
  ] as const) {
    text = removeSpans(text, open, close)
  }
  return text
}

/** Returns the text without the spans from `open` to `close`. */
function removeSpans(text: string, open: string, close: string): string {
  let out = ''
  let copiedTo = 0
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, copiedTo)) {
    const end = text.indexOf(close, start + open.length)
    if (end < 0) break
    out += text.slice(copiedTo, start)
    copiedTo = end + close.length
  }
  return out + text.slice(copiedTo)
}
