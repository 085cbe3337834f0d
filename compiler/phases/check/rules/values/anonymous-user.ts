/** `anonymous-user`: a page uses the current user, but visitors who are not signed in can open it. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'

export const anonymousUser = message(
  'anonymous-user',
  'warning',
  'AnonymousUser',
  /** `page`: the page that calls this file, if this is a partial. */
  (page: Span | null) => ({
    text: `\`context.current_user\` is nil for visitors who are not signed in, and ${page === null ? 'this page' : 'a page that calls this file'} does not check for it.`,
    hint: 'Add a policy to the front matter (`authorization_policies: [signed_in]`), or check with `{% if context.current_user %}`.',
    related: page === null ? [] : [{ span: page, message: 'this page is open to everyone' }],
  }),
  {
    wrong: '{{ context.current_user.id | plus: 1 }}',
    right: '{% if context.current_user %}{{ context.current_user.id | plus: 1 }}{% endif %}',
  },
)
