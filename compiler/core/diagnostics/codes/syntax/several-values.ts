/**
 * `several-values`: more than one value in an output. Reported by `noteDiagnostic` (phases/parse/notes.ts) and `leftoverDiagnostic`
 * (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const severalValues = message(
  'several-values',
  'error',
  'LiquidHTMLSyntaxError',
  (extra: string) => ({
    text: `${quote(extra)} follows a value that is already complete.`,
    hint: 'An output takes one value. Write two outputs, or join strings with the filter `append`.',
    change: { edits: [{ match: '^', text: '| append: ' }], safe: false },
  }),
  {
    wrong: `{{ 'a' 'b' }}`,
    right: `{{ 'a' }}{{ 'b' }}`,
  },
)
