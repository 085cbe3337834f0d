/** `unsupported-string-escape`: a backslash before the quote that ends the text. */
import type { Span } from '../../../source/span.ts'
import { type ChangeText, message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

function inOtherQuotes(span: Span, quote: string, inside: string): ChangeText | undefined {
  const other = quote === '"' ? "'" : '"'
  return inside.includes(other)
    ? undefined
    : { edits: [{ span, text: `${other}${inside.replaceAll(`\\${quote}`, quote)}${other}` }] }
}

export const unsupportedStringEscape = message(
  'unsupported-string-escape',
  'warning',
  'UnsupportedStringEscape',
  /** `whole`: the text that was meant; `inside`: what stands between its quotes. */
  (quote: string, whole: Span | null = null, inside: string = '') => ({
    text: `A backslash escapes nothing: the text ends at this ${quoted(quote)}, and what follows is dropped.`,
    hint: `Use the other quotes outside, or \`capture\` for a text that holds both.`,
    change: whole === null ? undefined : inOtherQuotes(whole, quote, inside),
  }),
  {
    wrong: '{{ "a \\"b\\"" }}',
    right: `{{ 'a "b"' }}`,
  },
)
