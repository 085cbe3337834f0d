/** `else-if`: a condition after `else`, which is ignored. Reported by `leftoverDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'

export const elseIf = message(
  'else-if',
  'warning',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'The condition after `else` is ignored, so this branch runs like a plain `else`.',
    hint: 'Write `elsif`.',
    change: {
      edits: [
        { target: 'markup', part: 'else', text: 'elsif' },
        { match: '^if\\s*', text: '' },
      ],
    },
  }),
  {
    wrong: '{% if context.params.a %}1{% else if context.params.b %}2{% endif %}',
    right: '{% if context.params.a %}1{% elsif context.params.b %}2{% endif %}',
  },
)
