/** `missing-inferred-argument`: a name that a partial without `doc` reads and the call does not pass. */
import type { Span } from '../../source/span.ts'
import { message } from '../diagnostic.ts'
import { quoted } from '../words.ts'

export const missingInferredArgument = message(
  'missing-inferred-argument',
  'warning',
  'PartialCallArguments',
  (partial: string, name: string, read: Span | null, needed = false) => ({
    text: `The partial ${quoted(partial)} ${needed ? 'cannot run a query without' : 'reads'} ${quoted(name)}, and this call does not pass it.`,
    hint: needed ? `Pass \`${name}\`.` : `Pass \`${name}\`, or read it through \`default\` in the partial.`,
    related: read === null ? [] : [{ span: read, message: 'it is read here' }],
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': '{{ title }}' },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': '{{ title }}',
    },
  },
)
