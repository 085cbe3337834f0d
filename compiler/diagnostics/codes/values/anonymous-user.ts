/** `anonymous-user`: a page uses the id of the user, and lets in visitors who are not signed in. */
import { message } from '../../diagnostic.ts'

export const anonymousUser = message(
  'anonymous-user',
  'warning',
  'AnonymousUser',
  () => ({
    text: '`context.current_user` is nil for whoever is not signed in, and nothing on this page asks for it.',
    hint: 'Name a policy in the front matter (`authorization_policies: [signed_in]`), or ask: `{% if context.current_user %}`.',
  }),
  {
    wrong: '{{ context.current_user.id | plus: 1 }}',
    right: '{% if context.current_user %}{{ context.current_user.id | plus: 1 }}{% endif %}',
  },
)
