/** Prints the HTML of a page with the format `pdf`. */
import { LimitFault, UnavailableFault } from '../../../runtime/page/fault.ts'
import { PrintFailure } from '../../core/print/model.ts'
import type { Reply } from '../http/message.ts'
import type { SiteHost, Visit } from './host.ts'
import { identifiesVisitor } from './visitor-cache.ts'

/** The error for a document that is not printed because too many others wait. The request is answered with the status 503. */
export class PrintersBusy extends UnavailableFault {}

/**
 * Returns a reply with the PDF of its HTML. Redirects stay as they are.
 * @param time milliseconds that are left for the page
 * @throws UnavailableFault, LimitFault
 */
export async function printedReply(host: SiteHost, visit: Visit, reply: Reply, time: number): Promise<Reply> {
  const { body, headers } = reply
  if (typeof body !== 'string' || headers['location'] !== undefined) return reply
  if (host.print === null) throw new UnavailableFault('this host cannot create PDF pages')
  const { request, session, sharedState } = visit
  if (request.isPrinted) throw new UnavailableFault('a printed document cannot contain a PDF page')
  sharedState.varies = true
  // The text of a PDF is compressed, so the cache cannot search it for the visitor.
  if (session !== null && sharedState.reads !== undefined && identifiesVisitor(body, request, session))
    sharedState.reads.count++
  return { ...reply, body: await host.print(body, visit, Math.max(1, time)).catch(throwFault) }
}

function throwFault(error: unknown): never {
  if (!(error instanceof PrintFailure)) throw error
  const { reason, message } = error
  if (reason === 'time' || reason === 'memory') throw new LimitFault(message, reason)
  if (reason === 'size') throw new LimitFault(message, 'output')
  throw reason === 'busy' ? new PrintersBusy(message) : new UnavailableFault(message)
}
