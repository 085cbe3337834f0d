/** `filter-name-syntax`: text between the name of a filter and what may follow it. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const filterNameSyntax = message(
  'filter-name-syntax',
  'error',
  'LiquidHTMLSyntaxError',
  (filter: string, found: string) => ({
    text: `${quoted(found)} cannot follow ${filter === '' ? 'a filter' : `the filter ${quoted(filter)}`}.`,
    hint: 'Arguments come behind a colon, and the next filter behind a `|`.',
  }),
  {
    wrong: `{{ 'a' | append 'b' }}`,
    right: `{{ 'a' | append: 'b' }}`,
  },
)
