/** `unknown-form-argument`: an argument of `include_form` that the form never reads. */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { didYouMean } from '../../suggest.ts'
import { quoted } from '../../words.ts'

export const unknownFormArgument = message(
  'unknown-form-argument',
  'warning',
  'PartialCallArguments',
  (form: string, name: string, known: Iterable<string>) => ({
    text: `The form ${quoted(form)} never reads ${quoted(name)}.`,
    hint: didYouMean(name, known),
  }),
  {
    wrong: formSite({
      body: '{% form %}{{ heading }}{% endform %}',
      page: `{% include_form 'book', heading: 'x', size: 2 %}`,
    }),
    right: formSite({ body: '{% form %}{{ heading }}{% endform %}', page: `{% include_form 'book', heading: 'x' %}` }),
  },
)
