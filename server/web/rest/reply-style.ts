/** Determines the style of reply that the sender of a request expects. */
import { wantedFormats } from '../http/formats.ts'
import { headerOf, type Request } from '../http/message.ts'
import type { ApiPath } from './resources.ts'

/** The style of a reply. */
export interface ReplyStyle {
  /** Replies with redirects and pages, for browsers without scripts. */
  readonly html: boolean
  /** A script sent a page's form. It expects pages for errors and JSON for success. */
  readonly script: boolean
}

/**
 * Returns the style of the reply.
 * @param isApiClient whether the client sent a token, or a content type that page forms cannot send
 */
export function findReplyStyle(request: Request, { extension }: ApiPath, isApiClient: boolean): ReplyStyle {
  const script = headerOf(request, 'x-requested-with').toLowerCase() === 'xmlhttprequest'
  if (isApiClient || extension === 'json') return { html: false, script }
  const [preferred] = wantedFormats(request.contentType, request.accept)
  return { html: extension === 'html' || preferred !== 'json', script: script && extension === 'html' }
}
