/** `duplicate-unit`: two files that claim one name; the resolver takes the first. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const duplicateUnit = message(
  'duplicate-unit',
  'warning',
  'DuplicateUnit',
  /** `alone`: the one name that is left to this file. */
  (kind: string, name: string, other: Span, alone: string | null = null) => ({
    text:
      alone === null
        ? `Two files claim the ${kind} ${quoted(name)}; this one is never used.`
        : `Two files claim the ${kind} ${quoted(name)}; this one is only called by ${quoted(alone)}.`,
    related: [{ span: other, message: 'this one is used' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'card' %}`,
      'app/views/partials/card.liquid': 'x',
      'app/lib/card.liquid': 'y',
    },
    right: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': 'x' },
  },
)
