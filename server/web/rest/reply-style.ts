/** Determines which style of answer the sender of a request expects. */
import { wantedFormats } from '../http/formats.ts'
import { headerOf, type Request } from '../http/message.ts'
import type { ApiPath } from './resources.ts'

export interface ReplyStyle {
  /** Redirects and pages, for browsers without scripts. */
  readonly html: boolean
  /** A script that sent a page's form and expects a page, except that success is JSON. */
  readonly script: boolean
}

/** @param program whether the client sent a token, or something that no form of a page sends */
export function replyStyleOf(request: Request, { extension }: ApiPath, program: boolean): ReplyStyle {
  const script = headerOf(request, 'x-requested-with').toLowerCase() === 'xmlhttprequest'
  if (program || extension === 'json') return { html: false, script }
  const [wanted] = wantedFormats(request.contentType, request.accept)
  return { html: extension === 'html' || wanted !== 'json', script: script && extension === 'html' }
}
