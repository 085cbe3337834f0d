/** `open-user-form`: a user form that anyone may submit for any user. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { ofFrame } from '../../site/site-rule.ts'
import { openForms } from '../../site/forms.ts'

export const openUserForm = message(
  'open-user-form',
  'warning',
  'FormConfiguration',
  (form: string) => ({
    subject: { kind: 'form', name: form },
    text: `With the form ${quote(form)} anyone can change and delete any user, even without signing in.`,
    hint: 'Remove `resource_owner`: then new users can still sign up, but each user can change only their own account. Or add an authorization policy.',
  }),
  {
    wrong: formSite({
      head: 'resource: User\nresource_owner: anyone',
      fields: '  email:\n    validation: { presence: true }',
    }),
    right: formSite({ head: 'resource: User', fields: '  email:\n    validation: { presence: true }' }),
  },
)

/** Reports user forms that anyone may submit. */
export const checkOpenUserForms = ofFrame((site) =>
  openForms(site, 'user').map(({ name, span }) => openUserForm(span, name)),
)
