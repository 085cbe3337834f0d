/** `unknown-form-argument`: an argument of `include_form` that the form never reads. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Fix, message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

const REMOVE_ARGUMENT: Fix = {
  hint: 'Remove the argument: it has no effect.',
  change: { edits: [{ target: 'argument', text: '' }] },
}

export const unknownFormArgument = message(
  'unknown-form-argument',
  'warning',
  'PartialCallArguments',
  (form: string, name: string, knownNames: Iterable<string>) => ({
    subject: { kind: 'argument', name, of: form },
    text: `The form ${quote(form)} never reads ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? REMOVE_ARGUMENT),
  }),
  {
    wrong: formSite({
      body: '{% form %}{{ heading }}{% endform %}',
      page: `{% include_form 'book', heading: 'x', size: 2 %}`,
    }),
    right: formSite({ body: '{% form %}{{ heading }}{% endform %}', page: `{% include_form 'book', heading: 'x' %}` }),
  },
)
