/** `form-without-template`: a form that is shown but has no template. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { formTags } from '../../site/forms.ts'
import { hasBody } from '../../../../core/model/unit.ts'

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

/** Reports `include_form` tags whose form has nothing to show. */
export function checkFormTemplates(checked: CheckedSite): readonly Diagnostic[] {
  const { includes } = formTags(checked)
  return includes.flatMap(({ form, note, name }) =>
    form === undefined || form.template?.isBroken === true || hasBody(form.template)
      ? []
      : [formWithoutTemplate(note.name.span, name, { file: form.file.path, start: 0, end: 0 })],
  )
}
