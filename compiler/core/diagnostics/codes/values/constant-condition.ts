/**
 * `constant-condition`: a condition that always has the same outcome. Reported by `checkRepeated` (language/tags/if.ts), `checkLoneValue`
 * (phases/check/types/condition.ts) and `checkConstant` (phases/check/types/condition.ts).
 */
import type { Span } from '../../../source/span.ts'
import { message, relatedAt } from '../../diagnostic.ts'

export const constantCondition = message(
  'constant-condition',
  'warning',
  'WS42',
  /** `suggestion`: the complete comparison that was probably meant. `first`: the place of an earlier condition that is the same. */
  (outcome: boolean, reason: string, suggestion: string | null = null, firstSpan: Span | null = null) => ({
    text: `This condition is always ${outcome}${reason === '' ? '' : `: ${reason}`}.`,
    ...(suggestion === null ? {} : { change: { edits: [{ text: suggestion }] } }),
    hint:
      suggestion !== null
        ? `Write \`${suggestion}\`.`
        : outcome
          ? 'Compare with `blank` or `empty`, or remove the condition.'
          : 'Remove the code that never runs.',
    related: relatedAt(firstSpan, 'the first one is here'),
  }),
  {
    wrong: `{% if '' %}yes{% endif %}`,
    right: `{% if context.params.a != '' %}yes{% endif %}`,
  },
)
