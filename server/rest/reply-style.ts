/** How the sender of a request wants to be answered. */
import { wantedFormats } from '../http/formats.ts'
import { headerOf, type Request } from '../http/message.ts'
import type { ApiPath } from './resources.ts'

export interface ReplyStyle {
  /** By redirects and pages, as browsers without scripts need it. */
  readonly html: boolean
  /** A script sent a form for the page's own answer: success is told by JSON, which it can read. */
  readonly script: boolean
}

/** @param program sends a token, or what no form of a page sends */
export function mannerOf(request: Request, { extension }: ApiPath, program: boolean): ReplyStyle {
  const script = headerOf(request, 'x-requested-with').toLowerCase() === 'xmlhttprequest'
  if (program || extension === 'json') return { html: false, script }
  const [wanted] = wantedFormats(headerOf(request, 'content-type'), headerOf(request, 'accept'))
  return { html: extension === 'html' || wanted !== 'json', script: script && extension === 'html' }
}
