/** `unknown-argument`: an argument that the partial does not declare. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Fix, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

const REMOVE_ARGUMENT: Fix = {
  hint: 'Remove the argument: it has no effect.',
  change: { edits: [{ target: 'argument', text: '' }] },
}

export const unknownArgument = message(
  'unknown-argument',
  'warning',
  'UnrecognizedRenderPartialArguments',
  (partial: string, name: string, knownNames: Iterable<string>) => ({
    subject: { kind: 'argument', name, of: partial },
    text: `The partial ${quote(partial)} declares no parameter ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? REMOVE_ARGUMENT),
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
