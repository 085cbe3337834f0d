/**
 * `duplicate-unit`: two files with the same name. The first one is used. Reported by `UnitNames` (phases/link/link.ts) and `partialNames`
 * (phases/link/partial-names.ts).
 */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const duplicateUnit = message(
  'duplicate-unit',
  'warning',
  'DuplicateUnit',
  /** `alone`: the only other name by which this file can be called. */
  (kind: string, name: string, otherSpan: Span, alone: string | null = null) => ({
    text:
      alone === null
        ? `Two files have the name of the ${kind} ${quote(name)}; this one is never used.`
        : `Two files have the name of the ${kind} ${quote(name)}; this one can only be called as ${quote(alone)}.`,
    related: [{ span: otherSpan, message: 'this file is used' }],
  }),
  {
    wrong: { 'app/lib/card.liquid': 'y' },
    right: {},
    both: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': 'x' },
  },
)
