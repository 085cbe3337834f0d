/**
 * `unreachable-code`: code after a tag that always ends the block or template. Reported by `LikelyTypes`
 * (phases/check/types/likely-types.ts) and `TreeBuilder` (phases/parse/build-tree.ts).
 */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'

export const unreachableCode = message(
  'unreachable-code',
  'warning',
  'WS41',
  (tag: string, left: Span) => ({
    text: `This never runs, because ${tag === 'else' ? 'the `else` before it handles all other cases' : `of the \`${tag}\` before it`}.`,
    hint: `Remove this code, or move it before \`${tag}\`.`,
    related: [{ span: left, message: `\`${tag}\` is here` }],
  }),
  {
    wrong: '{% for i in (1..3) %}{{ i }}{% break %}{{ i }}{% endfor %}',
    right: '{% for i in (1..3) %}{{ i }}{% break %}{% endfor %}',
  },
)
