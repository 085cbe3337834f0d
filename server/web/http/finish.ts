/** Completes answers: adds default headers and a weak ETag, and answers 304 when the client already has the body. */
import { DEFAULT_HEADERS } from '../../core/default-headers.ts'
import { tagBody } from './etag.ts'
import { isEvents, isFile, isStream, type Reply, type Request } from './message.ts'

/** Headers that are always set here for a text, even when the reply contains them. */
export const ALWAYS_SET: ReadonlySet<string> = new Set(['x-request-id', 'content-length'])

/** Completes a reply. The body of a `HEAD` answer is kept for its length; the listener does not send it. */
export function finish(request: Request, reply: Reply): Reply {
  const headers: Record<string, string> = { ...DEFAULT_HEADERS, ...reply.headers, 'x-request-id': request.id }
  const { body, status } = reply
  if (status === 204 || status === 304) return withHeaders(reply, headers, body)
  if (body !== null && typeof body !== 'string' && (isFile(body) || isEvents(body) || isStream(body)))
    return withHeaders(reply, headers, body)
  const isReadRequest = request.method === 'GET' || request.method === 'HEAD'
  if (!isReadRequest || status !== 200 || body === null) {
    headers['content-length'] = String(body === null ? 0 : Buffer.byteLength(body))
    return withHeaders(reply, headers, body)
  }
  const { etag, length } = tagBody(body, reply.template)
  headers['etag'] = etag
  if (!listIncludes(request.ifNoneMatch, etag)) {
    headers['content-length'] = String(length)
    return withHeaders(reply, headers, body)
  }
  delete headers['content-type']
  return { ...withHeaders(reply, headers, null), status: 304 }
}

function withHeaders(reply: Reply, headers: Reply['headers'], body: Reply['body']): Reply {
  return { ...reply, headers, body }
}

// Weak comparison: the prefix `W/` is ignored.
function listIncludes(list: string, etag: string): boolean {
  if (list === '') return false
  const opaque = etag.slice(2)
  return list.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === opaque)
}
