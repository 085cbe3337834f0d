/** `unknown-argument`: an argument that the partial does not declare. */
import { message } from '../../diagnostic.ts'
import { didYouMean } from '../../suggest.ts'
import { quoted } from '../../words.ts'

export const unknownArgument = message(
  'unknown-argument',
  'warning',
  'UnrecognizedRenderPartialArguments',
  (partial: string, name: string, known: Iterable<string>) => ({
    text: `The partial ${quoted(partial)} declares no parameter ${quoted(name)}.`,
    hint: didYouMean(name, known),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x', size: 2 %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - what it says
{% enddoc %}{{ title }}`,
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - what it says
{% enddoc %}{{ title }}`,
    },
  },
)
