/** Creates the visit of a job. Its host and user come from the request that queued it. It has no other data of a request. */
import { type JobOrigin, type LinkHost, MAX_CHAIN_LENGTH } from '../../../runtime/data/jobs.ts'
import { sessionUploader } from '../../../runtime/data/query/upload-host.ts'
import { createRequest, type Request } from '../http/message.ts'
import { chooseLanguage } from './context.ts'
import { type JobContext, type SiteHost, currentSpan, type Visit } from './host.ts'

/** Creates the visit of a job; `createRender` creates its renders. */
export function jobVisit(host: SiteHost, job: JobContext): Visit {
  const { origin } = job
  const visit: Visit = {
    request: createJobRequest(origin),
    params: {},
    session: null,
    data: host.data === null ? null : host.data(origin.user, null, () => visit),
    failedForm: null,
    sharedState: { context: null },
    job,
  }
  return visit
}

/** Returns the origin of jobs that the visit, or the job, queues now. */
export function createJobOrigin(host: SiteHost, visit: Visit): JobOrigin {
  const { request, params, session, sharedState, job } = visit
  const span = currentSpan(visit)
  const traced = span === null ? {} : { trace: span.internalHeaders() }
  const now = sharedState.context?.['language']
  const language = typeof now === 'string' ? now : chooseLanguage(host.loadedSite.site, params, request, session)
  if (job !== null)
    return { ...job.origin, language, depth: Math.min(job.origin.depth, MAX_CHAIN_LENGTH) + 1, ...traced }
  const uploader = session === null || session.knownId === null ? {} : { uploader: sessionUploader(session.knownId) }
  return { ...lastingHost(host, visit), language, user: session?.user?.id ?? null, ...uploader, depth: 1, ...traced }
}

/** Returns the host for links in jobs. If the visit has not read its host, its texts cannot contain it and are not changed. */
function lastingHost({ lastingHost: lasting }: SiteHost, { request, sharedState }: Visit): LinkHost {
  const host = lasting(request.host)
  return host === request.host || sharedState.readsHost !== true ? { host } : { host, unverifiedHost: request.host }
}

/** Creates the request of a job. Jobs read only its host; all other fields are empty. */
function createJobRequest({ host }: JobOrigin): Request {
  return createRequest({
    method: 'POST',
    url: '/',
    protocol: 'https',
    host,
    ip: '',
    headers: {},
    body: null,
    id: 'job',
  })
}
