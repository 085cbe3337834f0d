/**
 * What most answers are: a text with status 200, read by GET without a condition. Its head is written line by line, as `finish` would have
 * it, without a table of headers in between.
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
  if (typeof body !== 'string' || status !== 200 || request.method !== 'GET' || cookies !== undefined) return null
  if (headers['date'] !== undefined || framesItself(reply) || headerOf(request, 'if-none-match') !== '') return null
  const { etag, length } = markOf(body, reply.file)
  let lines = ''
  for (const [name, line] of DEFAULT_LINES) if (headers[name] === undefined) lines += line
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!FINISHED.has(name) && sendable(name, value, log)) lines += `${name}: ${value}\r\n`
  }
  return { lines: `${lines}etag: ${etag}\r\ncontent-length: ${length}\r\n`, body, length }
}
