/** `duplicate-argument`: one argument twice in a call; the last value is the one that counts. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const duplicateArgument = message(
  'duplicate-argument',
  'warning',
  'DuplicateRenderPartialArguments',
  (name: string, first: Span) => ({
    text: `The argument ${quoted(name)} is given twice; the last value counts.`,
    change: { edits: [{ span: first, reach: 'argument', text: '' }], safe: true },
    related: [{ span: first, message: 'it is given here first' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x', title: 'y' %}`,
      'app/views/partials/card.liquid': '{{ title }}',
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'y' %}`,
      'app/views/partials/card.liquid': '{{ title }}',
    },
  },
)
