/** `empty-filter`: a pipe that no filter follows. */
import { message } from '../../diagnostic.ts'

export const emptyFilter = message(
  'empty-filter',
  'error',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'No filter follows this `|`.',
    hint: 'Name a filter, or take the `|` away.',
    change: { edits: [{ text: '' }] },
  }),
  {
    wrong: `{{ 'a' || upcase }}`,
    right: `{{ 'a' | upcase }}`,
  },
)
