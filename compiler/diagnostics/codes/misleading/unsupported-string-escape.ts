/** `unsupported-string-escape`: a backslash before the quote that ends the text. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unsupportedStringEscape = message(
  'unsupported-string-escape',
  'warning',
  'UnsupportedStringEscape',
  (quote: string) => ({
    text: `A backslash escapes nothing: the text ends at this ${quoted(quote)}, and what follows is dropped.`,
    hint: `Use the other quotes outside, or \`capture\` for a text that holds both.`,
  }),
  {
    wrong: '{{ "a \\"b\\"" }}',
    right: `{{ 'a "b"' }}`,
  },
)
