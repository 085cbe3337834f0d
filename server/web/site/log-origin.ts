/** Creates the origin of log entries: facts about a visit, without private data of the visitor. */
import type { PageEntry } from '../../../runtime/page/site.ts'
import { pathOf, type Request } from '../http/message.ts'
import type { LogOrigin } from '../../core/contracts/log.ts'
import type { Visit } from './host.ts'

/**
 * Returns the origin of log entries of a visit.
 * @param page null outside of pages
 */
export function createLogOrigin({ request, session, job }: Visit, page: PageEntry | null): LogOrigin {
  if (job !== null) {
    const { host, user } = job.origin
    const knownUser = user === null ? null : { id: user, email: null }
    return { url: host === '' ? null : host, page: null, user: knownUser, job: job.id ?? null }
  }
  const user = session?.user ?? null
  return {
    url: hostAndPath(request),
    page: page === null ? null : page.slug,
    user: user === null ? null : { id: user.id, email: user.email },
    job: null,
  }
}

/** Returns host and path, without the query, which may contain secrets. */
export function hostAndPath({ host, url }: Pick<Request, 'host' | 'url'>): string {
  return host + pathOf(url)
}
