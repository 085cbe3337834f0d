/** `unknown-inferred-argument`: an argument that a partial without `doc` never reads. */
import { meantName } from '../../change.ts'
import { type Mend, message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

const LEFT_OUT: Mend = {
  hint: 'Leave it out: nothing comes of it.',
  change: { edits: [{ reach: 'argument', text: '' }] },
}

export const unknownInferredArgument = message(
  'unknown-inferred-argument',
  'warning',
  'PartialCallArguments',
  (partial: string, name: string, known: Iterable<string>) => ({
    text: `The partial ${quoted(partial)} never reads ${quoted(name)}.`,
    ...(meantName(name, known) ?? LEFT_OUT),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x', size: 2 %}`,
      'app/views/partials/card.liquid': '{{ title }}',
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': '{{ title }}',
    },
  },
)
