/** `unknown-argument`: an argument that the partial does not declare. */
import { meantName } from '../../change.ts'
import { type Mend, message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

const LEFT_OUT: Mend = {
  hint: 'Leave it out: nothing comes of it.',
  change: { edits: [{ reach: 'argument', text: '' }] },
}

export const unknownArgument = message(
  'unknown-argument',
  'warning',
  'UnrecognizedRenderPartialArguments',
  (partial: string, name: string, known: Iterable<string>) => ({
    text: `The partial ${quoted(partial)} declares no parameter ${quoted(name)}.`,
    ...(meantName(name, known) ?? LEFT_OUT),
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
