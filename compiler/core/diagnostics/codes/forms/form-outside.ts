/** `form-outside`: the tag `form` where no form is shown. */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'

export const formOutside = message(
  'form-outside',
  'error',
  'FormConfiguration',
  () => ({
    text: 'There is no form here: the tag `form` belongs into the template of a form.',
    hint: 'Move it into a file of `app/forms`, and show that by `include_form`; or write the element `<form>` itself.',
  }),
  {
    wrong: formSite({ page: `{% include_form 'book' %}{% form %}{% endform %}` }),
    right: formSite({}),
  },
)
