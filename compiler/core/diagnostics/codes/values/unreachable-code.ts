/** `unreachable-code`: what follows a tag that always leaves. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'

export const unreachableCode = message(
  'unreachable-code',
  'warning',
  'WS41',
  (tag: string, left: Span) => ({
    text: `This never runs: \`${tag}\` ${tag === 'else' ? 'takes all that is left' : 'has already left'}.`,
    hint: `Take it away, or move it before \`${tag}\`.`,
    related: [{ span: left, message: `\`${tag}\` stands here` }],
  }),
  {
    wrong: '{% for i in (1..3) %}{{ i }}{% break %}{{ i }}{% endfor %}',
    right: '{% for i in (1..3) %}{{ i }}{% break %}{% endfor %}',
  },
)
