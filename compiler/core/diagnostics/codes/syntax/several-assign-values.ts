/**
 * `several-assign-values`: text after the value of an `assign`. Reported by `noteDiagnostic` (phases/parse/notes.ts) and
 * `leftoverDiagnostic` (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const severalAssignValues = message(
  'several-assign-values',
  'error',
  'LiquidHTMLSyntaxError',
  (extra: string) => ({
    text: `${quote(extra)} follows a value that is already complete.`,
    hint: 'An `assign` takes one value. Join strings with the filter `append`.',
    change: { edits: [{ match: '^', text: '| append: ' }], safe: false },
  }),
  {
    wrong: `{% assign x = 'a' 'b' %}{{ x }}`,
    right: `{% assign x = 'a' | append: 'b' %}{{ x }}`,
  },
)
