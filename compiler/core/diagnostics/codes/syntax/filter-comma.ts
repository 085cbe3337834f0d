/** `filter-comma`: a comma where the colon of a filter belongs. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const filterComma = message(
  'filter-comma',
  'error',
  'LiquidHTMLSyntaxError',
  (filter: string) => ({
    text: `A comma follows ${filter === '' ? 'a filter' : `the filter ${quoted(filter)}`} where a colon belongs.`,
    hint: `Write \`${filter === '' ? 'filter' : filter}: …\`.`,
    change: { edits: [{ part: ',', text: ':' }] },
  }),
  {
    wrong: `{{ 'a' | append, 'b' }}`,
    right: `{{ 'a' | append: 'b' }}`,
  },
)
