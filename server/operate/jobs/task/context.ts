/** The `context` of templates in a job. */
import type { JobOrigin } from '../../../../runtime/data/jobs.ts'
import { ABSENT_IN_BACKGROUND } from '../../../../runtime/page/background-context.ts'
import type { Scope } from '../../../../runtime/page/site.ts'
import { createBareContext, type HostFacts } from '../../../web/site/context.ts'
import type { CurrentUser } from '../../../web/site/session.ts'

/**
 * Builds the context of a job from its origin and the host. It has no constants or params, because these are passed to a job like any
 * other value.
 * @param user the current state of the user who was signed in; null for no user, and for a deleted one
 */
export function jobContext(host: HostFacts, origin: JobOrigin, user: CurrentUser | null): Scope {
  const context = createBareContext(host, { language: origin.language, user, host: origin.host })
  for (const part of ABSENT_IN_BACKGROUND.job) delete context[part]
  return context
}
