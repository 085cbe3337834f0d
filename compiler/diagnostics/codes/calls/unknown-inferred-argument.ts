/** `unknown-inferred-argument`: an argument that a partial without `doc` never reads. */
import { message } from '../../diagnostic.ts'
import { didYouMean } from '../../suggest.ts'
import { quoted } from '../../words.ts'

export const unknownInferredArgument = message(
  'unknown-inferred-argument',
  'warning',
  'PartialCallArguments',
  (partial: string, name: string, known: Iterable<string>) => ({
    text: `The partial ${quoted(partial)} never reads ${quoted(name)}.`,
    hint: didYouMean(name, known) ?? 'Leave it out: nothing comes of it.',
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
