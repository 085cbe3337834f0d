/** `filter-comma`: a comma where a filter needs a colon. Reported by `noteDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const filterComma = message(
  'filter-comma',
  'error',
  'LiquidHTMLSyntaxError',
  (filter: string) => ({
    text: `There is a comma after ${filter === '' ? 'a filter' : `the filter ${quote(filter)}`} instead of a colon.`,
    hint: `Write \`${filter === '' ? 'filter' : filter}: …\`.`,
    change: { edits: [{ part: ',', text: ':' }] },
  }),
  {
    wrong: `{{ 'a' | append, 'b' }}`,
    right: `{{ 'a' | append: 'b' }}`,
  },
)
