/** Completes every answer: default headers, a weak ETag, and status 304 when the client already has the body. */
import { hash } from 'node:crypto'
import { headerOf, isEvents, isFile, type Reply, type Request } from './message.ts'

/** Completes a reply. The body is kept for `HEAD`, so that its length is correct; the listener does not send it. */
export function finish(request: Request, reply: Reply): Reply {
  const headers: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'x-xss-protection': '0',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'max-age=0, private, must-revalidate',
    ...reply.headers,
    'x-request-id': request.id,
  }
  const { body } = reply
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads || reply.status !== 200 || body === null || isFile(body) || isEvents(body)) return { ...reply, headers }
  const etag = `W/"${hash('sha1', body, 'base64url')}"`
  headers.etag = etag
  if (!named(headerOf(request, 'if-none-match'), etag)) return { ...reply, headers }
  delete headers['content-type']
  return { ...reply, status: 304, headers, body: null }
}

// Weak comparison: the prefix `W/` is ignored.
function named(list: string, etag: string): boolean {
  if (list === '') return false
  const opaque = etag.slice(2)
  return list.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === opaque)
}
