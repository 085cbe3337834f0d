/** `form-without-template`: a form that is shown but has no template. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const formWithoutTemplate = message(
  'form-without-template',
  'error',
  'FormConfiguration',
  (name: string, form: Span) => ({
    text: `The form ${quote(name)} has no template, so there is nothing to show.`,
    hint: 'Write the template below the front matter of the form.',
    related: [{ span: form, message: 'this form has only front matter' }],
  }),
  {
    wrong: formSite({ body: '' }),
    right: formSite({}),
  },
)
