/** `several-assign-values`: text behind the value of an `assign`. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const severalAssignValues = message(
  'several-assign-values',
  'error',
  'LiquidHTMLSyntaxError',
  (extra: string) => ({
    text: `${quoted(extra)} follows a value that is already complete.`,
    hint: 'An `assign` takes one value; join texts with the filter `append`.',
    change: { edits: [{ match: '^', text: '| append: ' }], safe: false },
  }),
  {
    wrong: `{% assign x = 'a' 'b' %}{{ x }}`,
    right: `{% assign x = 'a' | append: 'b' %}{{ x }}`,
  },
)
