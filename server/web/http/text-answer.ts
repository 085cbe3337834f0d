/**
 * Answers that are sent as one text: head and body without a table of headers in between. Most answers are of this kind.
 * They have the same headers as answers that `finish` completes.
 */
import { tagBody } from './etag.ts'
import { DEFAULT_HEADERS } from '../../core/default-headers.ts'
import { ALWAYS_SET, finish } from './finish.ts'
import { FRAMING, formatHeaderLines } from './head.ts'
import { createRequest, type Reply, type Request } from './message.ts'
import type { RequestLog } from './request-log.ts'
import { isSendable } from './sending.ts'

interface TextAnswer {
  readonly status: number
  /** The lines of all headers except the request id. */
  readonly lines: string
  readonly body: string | Uint8Array
  /** Bytes of the body. */
  readonly length: number
}

const DEFAULT_LINES = Object.entries(DEFAULT_HEADERS).map(([name, value]) => [name, `${name}: ${value}\r\n`] as const)

/** Headers that define framing or the date. An answer with one of them is written by Node. */
const WRITTEN_BY_NODE: ReadonlySet<string> = new Set([...FRAMING, 'date'])

/** Prepared answers, by reply record. A copy of a record, for example with other headers, has no prepared answer. */
const preparations = new WeakMap<Reply, TextAnswer>()

/** Prepares a text reply of status 200 that is sent for many requests, so that its head and bytes are made only once. */
export function prepareAnswer(request: Request, reply: Reply, log: RequestLog): void {
  const { body } = reply
  if (typeof body !== 'string' || reply.status !== 200 || reply.headers['date'] !== undefined) return
  const unconditional = createRequest({ ...request, headers: {} })
  const { 'x-request-id': _, ...headers } = finish(unconditional, reply).headers
  const length = Number(headers['content-length'])
  const lines = formatHeaderLines({ ...reply, headers }, log)
  preparations.set(reply, { status: 200, lines, body: length === body.length ? body : Buffer.from(body), length })
}

/** Returns the text of an answer; null when the answer has to be completed and sent in another way. */
export function textAnswer(request: Request, reply: Reply, log: RequestLog): TextAnswer | null {
  const { method, ifNoneMatch } = request
  const isUnconditionalGet = method === 'GET' && ifNoneMatch === ''
  if (isUnconditionalGet) {
    const prepared = preparations.get(reply)
    if (prepared !== undefined) return prepared
  }
  const { body, headers, status, cookies } = reply
  if (typeof body !== 'string' || cookies !== undefined) return null
  // An answer to HEAD is sent without its body, and answers of 204 and 304 have none.
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return null
  const hasTag = method === 'GET' && status === 200
  if (hasTag && !isUnconditionalGet) return null
  let lines = ''
  for (const [name, line] of DEFAULT_LINES) if (headers[name] === undefined) lines += line
  for (const name in headers) {
    if (WRITTEN_BY_NODE.has(name)) return null
    const value = headers[name] ?? ''
    if (!ALWAYS_SET.has(name) && !(hasTag && name === 'etag') && isSendable(name, value, log))
      lines += `${name}: ${value}\r\n`
  }
  if (!hasTag) {
    const length = Buffer.byteLength(body)
    return { status, lines: `${lines}content-length: ${length}\r\n`, body, length }
  }
  const { etag, length } = tagBody(body, reply.template)
  return { status, lines: `${lines}etag: ${etag}\r\ncontent-length: ${length}\r\n`, body, length }
}
