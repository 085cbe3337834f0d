/** `missing-form-argument`: a name that a form reads and `include_form` does not pass. */
import type { Span } from '../../source/span.ts'
import { message } from '../diagnostic.ts'
import { formSite } from '../form-site.ts'
import { quoted } from '../words.ts'

export const missingFormArgument = message(
  'missing-form-argument',
  'warning',
  'PartialCallArguments',
  (form: string, name: string, read: Span) => ({
    text: `The form ${quoted(form)} reads ${quoted(name)}, and this \`include_form\` does not pass it.`,
    hint: `Pass \`${name}\`, or read it through \`default\` in the form.`,
    related: [{ span: read, message: 'it is read here' }],
  }),
  {
    wrong: formSite({ body: '{% form %}{{ heading }}{% endform %}' }),
    right: formSite({ body: '{% form %}{{ heading }}{% endform %}', page: `{% include_form 'book', heading: 'x' %}` }),
  },
)
