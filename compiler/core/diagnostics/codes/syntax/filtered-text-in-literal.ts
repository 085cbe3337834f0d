/** `filtered-text-in-literal`: a filter behind a text inside a hash or array literal. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const filteredTextInLiteral = message(
  'filtered-text-in-literal',
  'error',
  'LiquidHTMLSyntaxError',
  (text: string, written: string) => ({
    text: `A filter cannot follow the text ${quoted(text)} inside a literal.`,
    hint: 'Assign the filtered text to a variable first and write the variable here.',
    change: {
      edits: [{ text: 'text' }, { reach: 'before markup', text: `{% assign text = ${written} %}` }],
      safe: false,
    },
  }),
  {
    wrong: '{% assign h = { "a": "x" | upcase } %}{{ h.a }}',
    right: `{% assign x = 'x' | upcase %}{% assign h = { "a": x } %}{{ h.a }}`,
  },
)
