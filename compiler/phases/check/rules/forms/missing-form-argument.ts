/** `missing-form-argument`: a variable that a form reads but `include_form` does not pass. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

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
