/** `json-literal-quote-style`: single quotes inside a hash or array literal. Reported by `noteDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'

export const jsonLiteralQuoteStyle = message(
  'json-literal-quote-style',
  'error',
  'JsonLiteralQuoteStyle',
  (text: string) => ({
    text: 'Strings inside a hash or array literal need double quotes.',
    hint: `Write \`"${text.replace(/^'|'$/g, '')}"\`.`,
    change: { edits: [{ text: `"${text.replace(/^'|'$/g, '')}"` }] },
  }),
  {
    wrong: `{% assign h = { 'a': 1 } %}{{ h.a }}`,
    right: '{% assign h = { "a": 1 } %}{{ h.a }}',
  },
)
