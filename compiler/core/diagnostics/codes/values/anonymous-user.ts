/** `anonymous-user`: a page uses the id of the user, and lets in visitors who are not signed in. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'

export const anonymousUser = message(
  'anonymous-user',
  'warning',
  'AnonymousUser',
  /** `page`: the one that comes here, where this is a partial. */
  (page: Span | null) => ({
    text: `\`context.current_user\` is nil for whoever is not signed in, and nothing on ${page === null ? 'this page' : 'a page that comes here'} asks for it.`,
    hint: 'Name a policy in the front matter (`authorization_policies: [signed_in]`), or ask: `{% if context.current_user %}`.',
    related: page === null ? [] : [{ span: page, message: 'this page lets in everybody' }],
  }),
  {
    wrong: '{{ context.current_user.id | plus: 1 }}',
    right: '{% if context.current_user %}{{ context.current_user.id | plus: 1 }}{% endif %}',
  },
)
