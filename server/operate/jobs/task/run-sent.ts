/** Renders a template that a client sent to the server, like the page of an anonymous visitor, with its own limits and scope. */
import { DEFAULT_LIMITS } from '../../../../runtime/page/limits.ts'
import { createRequest, type Request } from '../../../web/http/message.ts'
import type { SiteHost, Visit } from '../../../web/site/host.ts'
import { createRender } from '../../../web/site/render-page.ts'
import { MissingCode } from './failure.ts'
import type { TaskHost } from './run-task.ts'

export interface SentTemplate {
  /** Path of the template's file. */
  readonly unit: string
  /** Host name of the client's request. */
  readonly host: string
  readonly seconds: number
}

/** Renders a sent template. @returns its output @throws MissingCode, LiquidFault */
export async function runSent(taskHost: TaskHost, { unit, host: name, seconds }: SentTemplate): Promise<string> {
  const limits = { ...DEFAULT_LIMITS, time: seconds * 1000, cpuWait: taskHost.cpuWait, memory: taskHost.memory }
  const host: SiteHost = { ...taskHost.host, limits }
  const page = host.loadedSite.site.pages.find(({ file }) => file === unit)
  if (page === undefined) throw new MissingCode(`the template '${unit}' was not compiled`)
  const visit: Visit = {
    request: requestFor(name),
    params: {},
    session: null,
    data: host.data === null ? null : host.data(null, null, () => visit),
    failedForm: null,
    sharedState: { context: null },
    job: null,
  }
  return page.render(createRender(host, visit, page), {})
}

function requestFor(host: string): Request {
  const id = 'liquid_exec'
  return createRequest({ method: 'POST', url: '/', protocol: 'https', host, ip: '', headers: {}, body: null, id })
}
