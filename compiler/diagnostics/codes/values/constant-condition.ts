/** `constant-condition`: a condition that always has the same outcome. */
import { message } from '../../diagnostic.ts'

export const constantCondition = message(
  'constant-condition',
  'warning',
  'WS42',
  (outcome: boolean, why: string) => ({
    text: `This condition is always ${outcome}${why === '' ? '' : `: ${why}`}.`,
    hint: outcome ? 'Compare with `blank` or `empty`, or leave the condition out.' : 'Leave out what never runs.',
  }),
  {
    wrong: `{% if '' %}yes{% endif %}`,
    right: `{% if context.params.a != '' %}yes{% endif %}`,
  },
)
