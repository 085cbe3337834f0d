/** `duplicate-unit`: two files that claim one name; the resolver takes the first. */
import type { Span } from '../../source/span.ts'
import { message } from '../diagnostic.ts'
import { quoted } from '../words.ts'

export const duplicateUnit = message(
  'duplicate-unit',
  'warning',
  'DuplicateUnit',
  (kind: string, name: string, other: Span) => ({
    text: `Two files claim the ${kind} ${quoted(name)}; this one is never used.`,
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
