/** `late-reversed`: `reversed` behind another argument, where it is ignored. */
import { message } from '../../diagnostic.ts'

export const lateReversed = message(
  'late-reversed',
  'warning',
  'LiquidHTMLSyntaxError',
  () => ({
    text: '`reversed` is ignored here: it has to follow the collection directly.',
    hint: 'Write it before `limit` and `offset`.',
    change: {
      edits: [
        {
          reach: 'markup',
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
