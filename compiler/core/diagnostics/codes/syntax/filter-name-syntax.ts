/** `filter-name-syntax`: invalid text after the name of a filter. Reported by `noteDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const filterNameSyntax = message(
  'filter-name-syntax',
  'error',
  'LiquidHTMLSyntaxError',
  (filter: string, found: string) => ({
    text: `${quote(found)} cannot follow ${filter === '' ? 'a filter' : `the filter ${quote(filter)}`}.`,
    hint: 'Put `:` before the arguments, or `|` before the next filter.',
  }),
  {
    wrong: `{{ 'a' | append 'b' }}`,
    right: `{{ 'a' | append: 'b' }}`,
  },
)
