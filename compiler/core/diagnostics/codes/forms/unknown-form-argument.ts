/** `unknown-form-argument`: an argument of `include_form` that the form never reads. */
import { meantName } from '../../change.ts'
import { type Mend, message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quoted } from '../../words.ts'

const LEFT_OUT: Mend = {
  hint: 'Leave it out: nothing comes of it.',
  change: { edits: [{ reach: 'argument', text: '' }] },
}

export const unknownFormArgument = message(
  'unknown-form-argument',
  'warning',
  'PartialCallArguments',
  (form: string, name: string, known: Iterable<string>) => ({
    text: `The form ${quoted(form)} never reads ${quoted(name)}.`,
    ...(meantName(name, known) ?? LEFT_OUT),
  }),
  {
    wrong: formSite({
      body: '{% form %}{{ heading }}{% endform %}',
      page: `{% include_form 'book', heading: 'x', size: 2 %}`,
    }),
    right: formSite({ body: '{% form %}{{ heading }}{% endform %}', page: `{% include_form 'book', heading: 'x' %}` }),
  },
)
