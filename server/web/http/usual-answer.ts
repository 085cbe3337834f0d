/**
 * What most answers are: a text that is read without a condition, or that answers a change. Its head is written line by line, as `finish`
 * would have it, without a table of headers in between.
 */
import { DEFAULTS, FINISHED, markOf } from './finish.ts'
import { framesItself } from './head.ts'
import { headerOf, type Reply, type Request } from './message.ts'
import type { Prepared } from './prepared.ts'
import type { RequestLog } from './request-log.ts'
import { sendable } from './sending.ts'

const DEFAULT_LINES = Object.entries(DEFAULTS).map(([name, value]) => [name, `${name}: ${value}\r\n`] as const)

/** The lines of an answer without its request's id, and its body; null for any other answer. */
export function usualAnswer(request: Request, reply: Reply, log: RequestLog): Prepared | null {
  const { body, headers, status, cookies } = reply
  if (typeof body !== 'string' || cookies !== undefined || headers['date'] !== undefined || framesItself(reply))
    return null
  const { method } = request
  // An answer to HEAD is sent without its body, and answers of 204 and 304 have none.
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return null
  const isRead = method === 'GET' && status === 200
  if (isRead && headerOf(request, 'if-none-match') !== '') return null
  let lines = ''
  for (const [name, line] of DEFAULT_LINES) if (headers[name] === undefined) lines += line
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!FINISHED.has(name) && !(isRead && name === 'etag') && sendable(name, value, log))
      lines += `${name}: ${value}\r\n`
  }
  if (!isRead) {
    const length = Buffer.byteLength(body)
    return { status, lines: `${lines}content-length: ${length}\r\n`, body, length }
  }
  const { etag, length } = markOf(body, reply.file)
  return { status, lines: `${lines}etag: ${etag}\r\ncontent-length: ${length}\r\n`, body, length }
}
