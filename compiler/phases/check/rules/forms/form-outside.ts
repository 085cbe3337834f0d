/** `form-outside`: the tag `form` outside of the template of a form. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'

export const formOutside = message(
  'form-outside',
  'error',
  'FormConfiguration',
  () => ({
    text: 'The tag `form` is only allowed in the template of a form.',
    hint: 'Move it into a file in `app/forms` and show that form with `include_form`, or write a plain `<form>` element.',
  }),
  {
    wrong: formSite({ page: `{% include_form 'book' %}{% form %}{% endform %}` }),
    right: formSite({}),
  },
)
