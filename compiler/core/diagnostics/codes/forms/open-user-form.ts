/** `open-user-form`: a form of users that anyone may send for any user. */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quoted } from '../../words.ts'

export const openUserForm = message(
  'open-user-form',
  'warning',
  'FormConfiguration',
  (form: string) => ({
    text: `Through the form ${quoted(form)} anyone may change and delete any user, signed in or not.`,
    hint: 'Leave `resource_owner` out: whoever is new can sign up all the same, and users change themselves only. Or name a policy.',
  }),
  {
    wrong: formSite({
      head: 'resource: User\nresource_owner: anyone',
      fields: '  email:\n    validation: { presence: true }',
    }),
    right: formSite({ head: 'resource: User', fields: '  email:\n    validation: { presence: true }' }),
  },
)
