/** `missing-form-argument`: a variable that a form reads but `include_form` does not pass. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { argumentsOfForms } from '../../site/forms.ts'

export const missingFormArgument = message(
  'missing-form-argument',
  'warning',
  'PartialCallArguments',
  /** `instead`: the misspelled name under which the tag passes the variable. */
  (form: string, name: string, read: Span, instead: string | null = null) => ({
    subject: { kind: 'argument', name, of: form, written: instead },
    text: `The form ${quote(form)} reads ${quote(name)}, but this \`include_form\` ${instead === null ? 'does not pass it' : `passes ${quote(instead)}`}.`,
    ...(instead === null
      ? { hint: `Pass \`${name}\`, or read it with \`default\` in the form.` }
      : suggestName(instead, [name])),
    related: [{ span: read, message: 'the argument is read here' }],
  }),
  {
    wrong: formSite({ body: '{% form %}{{ heading }}{% endform %}' }),
    right: formSite({ body: '{% form %}{{ heading }}{% endform %}', page: `{% include_form 'book', heading: 'x' %}` }),
  },
)

/** Reports the names that a form needs and its `include_form` tag does not pass, at the misspelled argument if there is one. */
export function checkMissingArguments(checked: CheckedSite): readonly Diagnostic[] {
  return argumentsOfForms(checked).flatMap(({ include, missing, unknown, misspellings }) =>
    missing.map(([name, input]) => {
      const misspelling = misspellings.get(name) ?? null
      const span = (misspelling === null ? undefined : unknown.get(misspelling)) ?? include.span
      return missingFormArgument(span, include.name, name, input.span, misspelling)
    }),
  )
}
