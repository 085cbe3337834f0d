/**
 * `filtered-text-in-literal`: a filter after a string inside a hash or array literal. Reported by `noteDiagnostic`
 * (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const filteredTextInLiteral = message(
  'filtered-text-in-literal',
  'error',
  'LiquidHTMLSyntaxError',
  (text: string, writtenText: string) => ({
    text: `The string ${quote(text)} cannot be filtered inside a hash or array literal.`,
    hint: 'Assign the filtered string to a variable first, and use the variable here.',
    change: {
      edits: [{ text: 'text' }, { target: 'before markup', text: `{% assign text = ${writtenText} %}` }],
      safe: false,
    },
  }),
  {
    wrong: '{% assign h = { "a": "x" | upcase } %}{{ h.a }}',
    right: `{% assign x = 'x' | upcase %}{% assign h = { "a": x } %}{{ h.a }}`,
  },
)
