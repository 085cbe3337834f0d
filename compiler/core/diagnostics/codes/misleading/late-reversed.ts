/** `late-reversed`: `reversed` after another argument, where it is ignored. Reported by `leftoverDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'

export const lateReversed = message(
  'late-reversed',
  'warning',
  'LiquidHTMLSyntaxError',
  () => ({
    text: '`reversed` is ignored here: it must come directly after the collection.',
    hint: 'Write `reversed` before `limit` and `offset`.',
    change: {
      edits: [
        {
          target: 'markup',
          match: '^((?:\\{%-?\\s*)?(?:for|tablerow)\\s+\\w+\\s+in\\s+(?:\\([^)]*\\)|\\S+))([^]*?)\\s+reversed\\b',
          text: '$1 reversed$2',
        },
      ],
    },
  }),
  {
    wrong: '{% for i in (1..5) limit: 2 reversed %}{{ i }}{% endfor %}',
    right: '{% for i in (1..5) reversed limit: 2 %}{{ i }}{% endfor %}',
  },
)
