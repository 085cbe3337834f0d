/** Checks the headers of answers before they are sent, and sends event streams. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { HEADER_NAME, HEADER_VALUE } from '../../../runtime/page/headers.ts'
import type { Reply } from './message.ts'
import type { RequestLog } from './request-log.ts'

/** Header names that are known to be valid. Most answers have the same names. */
const validNames = new Set<string>()
const MAX_NAMES = 1_000

/** Returns the headers to send. Invalid headers are omitted: they contain input, and could inject other headers. */
export function safeHeaders(reply: Reply, log: RequestLog): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  const replyHeaders = reply.headers
  for (const name in replyHeaders) {
    const value = replyHeaders[name] ?? ''
    if (isSendable(name, value, log)) headers[name] = value
  }
  const cookies = safeCookies(reply)
  if (cookies.length > 0) headers['set-cookie'] = [...cookies]
  return headers
}

/** Returns the cookies to set, without invalid ones. */
export function safeCookies({ cookies = [] }: Reply): readonly string[] {
  return cookies.length === 0 ? cookies : cookies.filter((cookie) => HEADER_VALUE.test(cookie))
}

/** Returns whether a header can be sent. An invalid header is logged. */
export function isSendable(name: string, value: string, log: RequestLog): boolean {
  let isValid = validNames.has(name)
  if (!isValid && HEADER_NAME.test(name)) {
    isValid = true
    if (validNames.size < MAX_NAMES) validNames.add(name)
  }
  if (isValid && HEADER_VALUE.test(value)) return true
  log.error({ header: JSON.stringify(name) }, 'an invalid header was omitted')
  return false
}

/** Sends server-sent events until the client leaves. */
export function sendEvents(
  raw: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  openStream: (send: (event: string, data: string) => void) => () => void,
  streams: Set<ServerResponse>,
): void {
  raw.writeHead(status, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  raw.flushHeaders()
  streams.add(raw)
  const close = openStream((event, data) => {
    raw.write(
      `event: ${event}\n${data
        .split('\n')
        .map((line) => `data: ${line}\n`)
        .join('')}\n`,
    )
  })
  raw.once('close', () => {
    streams.delete(raw)
    close()
  })
}
