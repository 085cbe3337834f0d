/**
 * `parentheses-in-condition`: parentheses around part of a condition, which Liquid does not support. Reported by `noteDiagnostic`
 * (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'

export const parenthesesInCondition = message(
  'parentheses-in-condition',
  'error',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'Parentheses are not allowed in a condition.',
    hint: 'Nest two `if` tags, or assign part of the condition to a variable first.',
  }),
  {
    wrong: '{% if (context.params.a or context.params.b) and context.params.c %}yes{% endif %}',
    right: '{% if context.params.c %}{% if context.params.a or context.params.b %}yes{% endif %}{% endif %}',
  },
)
