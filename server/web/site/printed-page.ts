/** Renders a page for the search in page contents: for an anonymous visitor, without its layout. */
import type { PageEntry } from '../../../runtime/page/site.ts'
import { createRequest } from '../http/message.ts'
import type { RequestData, SiteHost, Visit } from './host.ts'
import { createRender, pageBody } from './render-page.ts'

/**
 * Renders the body of a page.
 * @param open opens the data that the page reads
 * @throws LiquidFault
 */
export async function printedPage(
  host: SiteHost,
  page: PageEntry,
  open: (visit: () => Visit) => RequestData,
): Promise<string> {
  const visit: Visit = {
    request: createRequest({
      ...{ method: 'GET', url: `/${page.slug}`, protocol: 'https', host: host.lastingHost('') },
      ...{ ip: '', headers: {}, body: null, id: 'search' },
    }),
    params: {},
    session: null,
    data: open(() => visit),
    failedForm: null,
    sharedState: { context: null },
    job: null,
  }
  return pageBody(host, { visit, page, source: false }, createRender(host, visit, page))
}
