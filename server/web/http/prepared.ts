/**
 * Answers that are sent again and again: all of their head but the request's id, and the bytes of their body, are made once. A
 * preparation belongs to one reply record, so that a copy with other headers has none.
 */
import { finish } from './finish.ts'
import { linesOf } from './head.ts'
import { headerOf, type Reply, type Request } from './message.ts'
import type { RequestLog } from './request-log.ts'

export interface Prepared {
  readonly status: number
  /** The lines of all headers but that of the request's id. */
  readonly lines: string
  readonly body: string | Uint8Array
  /** Bytes of the body. */
  readonly length: number
}

const preparations = new WeakMap<Reply, Prepared>()

/** Prepares a reply of status 200 with a text, which the handler gives for any number of requests. */
export function prepare(request: Request, reply: Reply, log: RequestLog): void {
  const { body } = reply
  if (typeof body !== 'string' || reply.status !== 200 || reply.headers['date'] !== undefined) return
  const { 'x-request-id': _, ...headers } = finish({ ...request, headers: {} }, reply).headers
  const length = Number(headers['content-length'])
  const lines = linesOf({ ...reply, headers }, log)
  preparations.set(reply, {
    status: reply.status,
    lines,
    body: length === body.length ? body : Buffer.from(body),
    length,
  })
}

/** The preparation of a reply to a request; null where it has none, or where the request asks under a condition. */
export function preparedFor(request: Request, reply: Reply): Prepared | null {
  const prepared = preparations.get(reply)
  if (prepared === undefined || request.method !== 'GET' || headerOf(request, 'if-none-match') !== '') return null
  return prepared
}
