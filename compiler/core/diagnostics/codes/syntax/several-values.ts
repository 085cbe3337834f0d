/** `several-values`: more than one value in an output. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const severalValues = message(
  'several-values',
  'error',
  'LiquidHTMLSyntaxError',
  (extra: string) => ({
    text: `${quoted(extra)} follows a value that is already complete.`,
    hint: 'An output takes one value; write two outputs, or join texts with the filter `append`.',
    change: { edits: [{ match: '^', text: '| append: ' }], safe: false },
  }),
  {
    wrong: `{{ 'a' 'b' }}`,
    right: `{{ 'a' }}{{ 'b' }}`,
  },
)
