/** What stands for a visit where a job runs: the host and the user are those of whoever queued it, and there is nothing else. */
import { type JobOrigin, DEEPEST } from '../../runtime/data/jobs.ts'
import type { Request } from '../http/message.ts'
import { languageOf } from './context.ts'
import type { JobContext, SiteHost, Visit } from './host.ts'

/** A visit for one job; `createRender` makes its renders. */
export function jobVisit(host: SiteHost, job: JobContext): Visit {
  const { origin } = job
  const visit: Visit = {
    request: requestOf(origin),
    params: {},
    session: null,
    data: host.data === null ? null : host.data(origin.user, null, () => visit),
    failed: null,
    shared: { context: null },
    job,
  }
  return visit
}

/** What jobs that are queued now know of the visit, or the job, that queues them. */
export function originOf(host: SiteHost, { request, params, session, shared, job }: Visit): JobOrigin {
  const now = shared.context?.['language']
  const language = typeof now === 'string' ? now : languageOf(host.loaded.site, params, request, session)
  if (job !== null) return { ...job.origin, language, depth: Math.min(job.origin.depth, DEEPEST) + 1 }
  return { host: request.host, language, user: session?.user?.id ?? null, depth: 1 }
}

/** A job reads its host where a page would, and nothing else was sent. */
function requestOf({ host }: JobOrigin): Request {
  return { method: 'POST', url: '/', protocol: 'https', host, ip: '', headers: {}, body: null, id: 'job' }
}
