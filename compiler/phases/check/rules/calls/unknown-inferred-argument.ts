/** `unknown-inferred-argument`: an argument that a partial without `doc` never reads. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Fix, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

const REMOVE_ARGUMENT: Fix = {
  hint: 'Remove the argument: it has no effect.',
  change: { edits: [{ target: 'argument', text: '' }] },
}

export const unknownInferredArgument = message(
  'unknown-inferred-argument',
  'warning',
  'PartialCallArguments',
  (partial: string, name: string, knownNames: Iterable<string>) => ({
    subject: { kind: 'argument', name, of: partial },
    text: `The partial ${quote(partial)} never reads ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? REMOVE_ARGUMENT),
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
