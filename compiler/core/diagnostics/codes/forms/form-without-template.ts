/** `form-without-template`: a form that has no template is to be shown. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quoted } from '../../words.ts'

export const formWithoutTemplate = message(
  'form-without-template',
  'error',
  'FormConfiguration',
  (name: string, form: Span) => ({
    text: `The form ${quoted(name)} has no template, so there is nothing to show.`,
    hint: 'Write the template below the front matter of the form.',
    related: [{ span: form, message: 'the form ends with its front matter' }],
  }),
  {
    wrong: formSite({ body: '' }),
    right: formSite({}),
  },
)
