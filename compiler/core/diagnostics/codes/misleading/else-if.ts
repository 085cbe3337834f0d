/** `else-if`: a condition behind `else`, which has none. */
import { message } from '../../diagnostic.ts'

export const elseIf = message(
  'else-if',
  'warning',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'The condition behind `else` is not read: this is a plain `else`.',
    hint: 'Write `elsif`.',
    change: {
      edits: [
        { reach: 'markup', part: 'else', text: 'elsif' },
        { match: '^if\\s*', text: '' },
      ],
    },
  }),
  {
    wrong: '{% if context.params.a %}1{% else if context.params.b %}2{% endif %}',
    right: '{% if context.params.a %}1{% elsif context.params.b %}2{% endif %}',
  },
)
