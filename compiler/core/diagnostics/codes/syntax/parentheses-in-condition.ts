/** `parentheses-in-condition`: conditions cannot be grouped. */
import { message } from '../../diagnostic.ts'

export const parenthesesInCondition = message(
  'parentheses-in-condition',
  'error',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'Parentheses cannot group a condition.',
    hint: 'Nest two `if` tags, or assign a part to a variable first.',
  }),
  {
    wrong: '{% if (context.params.a or context.params.b) and context.params.c %}yes{% endif %}',
    right: '{% if context.params.c %}{% if context.params.a or context.params.b %}yes{% endif %}{% endif %}',
  },
)
