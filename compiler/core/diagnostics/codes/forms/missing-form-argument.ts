/** `missing-form-argument`: a name that a form reads and `include_form` does not pass. */
import { meantName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quoted } from '../../words.ts'

export const missingFormArgument = message(
  'missing-form-argument',
  'warning',
  'PartialCallArguments',
  /** `instead`: the misspelled name under which it is passed. */
  (form: string, name: string, read: Span, instead: string | null = null) => ({
    text: `The form ${quoted(form)} reads ${quoted(name)}, and this \`include_form\` ${instead === null ? 'does not pass it' : `passes ${quoted(instead)}`}.`,
    ...(instead === null
      ? { hint: `Pass \`${name}\`, or read it through \`default\` in the form.` }
      : meantName(instead, [name])),
    related: [{ span: read, message: 'it is read here' }],
  }),
  {
    wrong: formSite({ body: '{% form %}{{ heading }}{% endform %}' }),
    right: formSite({ body: '{% form %}{{ heading }}{% endform %}', page: `{% include_form 'book', heading: 'x' %}` }),
  },
)
