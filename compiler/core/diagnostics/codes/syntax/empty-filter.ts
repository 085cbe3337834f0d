/** `empty-filter`: a pipe with no filter after it. Reported by `noteDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'

export const emptyFilter = message(
  'empty-filter',
  'error',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'No filter follows this `|`.',
    hint: 'Add a filter name, or remove the `|`.',
    change: { edits: [{ text: '' }] },
  }),
  {
    wrong: `{{ 'a' || upcase }}`,
    right: `{{ 'a' | upcase }}`,
  },
)
