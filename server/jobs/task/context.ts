/** What templates see in a job. */
import type { JobOrigin } from '../../../runtime/data/jobs.ts'
import { ABSENT } from '../../../runtime/page/outside.ts'
import type { Scope } from '../../../runtime/page/site.ts'
import { createBareContext, type HostFacts } from '../../site/context.ts'
import type { CurrentUser } from '../../site/session.ts'

/**
 * The context of a job: what is known of whoever queued it, and of the host. Constants and params are passed to a job like any
 * other value, so they are not there.
 * @param user who was signed in, as they are now; null for nobody, and for a user who is gone
 */
export function jobContext(host: HostFacts, origin: JobOrigin, user: CurrentUser | null): Scope {
  const context = createBareContext(host, { language: origin.language, user, host: origin.host })
  for (const part of ABSENT.job) delete context[part]
  return context
}
