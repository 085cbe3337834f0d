/**
 * `push-in-output`: `<<` outside of `assign` and `function`. Reported by `noteDiagnostic` (phases/parse/notes.ts) and `leftoverDiagnostic`
 * (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'

export const pushInOutput = message(
  'push-in-output',
  'error',
  'LiquidHTMLSyntaxError',
  () => ({
    text: '`<<` is not allowed in an output.',
    hint: 'Write `{% assign list << value %}` first, and then print the list.',
    change: {
      edits: [
        {
          target: 'markup',
          match: '^\\{\\{(-?)\\s*([\\w.]+)\\s*<<\\s*([^]*?)\\s*(-?)\\}\\}$',
          text: '{%$1 assign $2 << $3 %}{{ $2 $4}}',
        },
      ],
    },
  }),
  {
    wrong: '{% assign list = [1] %}{{ list << 2 }}',
    right: '{% assign list = [1] %}{% assign list << 2 %}{{ list }}',
  },
)
