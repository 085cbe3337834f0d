/** `filter-in-condition`: a filter in a condition. Reported by `conditionDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const filterInCondition = message(
  'filter-in-condition',
  'error',
  'LiquidHTMLSyntaxError',
  (filter: string) => ({
    text: `The filter ${quote(filter)} is not allowed in a condition.`,
    hint: 'Assign the filtered value to a variable first, then test the variable.',
  }),
  {
    wrong: '{% if context.params.a | size == 1 %}yes{% endif %}',
    right: '{% assign length = context.params.a | size %}{% if length == 1 %}yes{% endif %}',
  },
)
