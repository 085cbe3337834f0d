/** `unknown-form-argument`: an argument of `include_form` that the form never reads. */
import { REMOVE_ARGUMENT, suggestName } from '../../../../core/diagnostics/change.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { argumentsOfForms, OWN_ARGUMENTS } from '../../site/forms.ts'

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

/** Reports arguments of `include_form` tags that the form never reads and that are not misspellings of names that it needs. */
export function checkUnknownArguments(checked: CheckedSite): readonly Diagnostic[] {
  return argumentsOfForms(checked).flatMap(({ include, inputs, unknown, misspellings }) => {
    const misspelled = new Set(misspellings.values())
    const passedNames = new Set(include.note.arguments.map(({ name }) => name.name))
    const knownNames = [...inputs.keys(), ...OWN_ARGUMENTS].filter((each) => !passedNames.has(each))
    return [...unknown].flatMap(([name, span]) =>
      misspelled.has(name) ? [] : [unknownFormArgument(span, include.name, name, knownNames)],
    )
  })
}
