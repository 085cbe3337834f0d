/** `constant-condition`: a condition that always has the same outcome. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'

export const constantCondition = message(
  'constant-condition',
  'warning',
  'WS42',
  /** `meant`: the comparison that a value alone was probably to be the second half of; `first`: the place of what it repeats. */
  (outcome: boolean, why: string, meant: string | null = null, first: Span | null = null) => ({
    text: `This condition is always ${outcome}${why === '' ? '' : `: ${why}`}.`,
    ...(meant === null ? {} : { change: { edits: [{ text: meant }] } }),
    hint:
      meant !== null
        ? `Write \`${meant}\`.`
        : outcome
          ? 'Compare with `blank` or `empty`, or leave the condition out.'
          : 'Leave out what never runs.',
    related: first === null ? [] : [{ span: first, message: 'it stands here first' }],
  }),
  {
    wrong: `{% if '' %}yes{% endif %}`,
    right: `{% if context.params.a != '' %}yes{% endif %}`,
  },
)
