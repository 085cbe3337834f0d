/** Writes the head of an answer as text: status line, headers, date and keep-alive. */
import { STATUS_CODES } from 'node:http'
import type { Reply } from './message.ts'
import type { RequestLog } from './request-log.ts'
import { isSendable, safeCookies } from './sending.ts'

/** Milliseconds for which an idle connection is kept. */
export const KEEP_ALIVE = 30_000

/**
 * Seconds for which a client may use an idle connection. After that time, a connection can be closed without losing a
 * request that is on its way. The time is short because a stopping process waits for it.
 */
const IDLE_SECONDS = 3
/** The `Keep-Alive` header that announces `IDLE_SECONDS`. */
export const KEEP_ALIVE_HINT = `timeout=${IDLE_SECONDS}`

/**
 * Milliseconds after the last answer for which a client may still send a request: the announced time, plus time for a slow
 * network or a busy client.
 */
export const REUSE_TIME = IDLE_SECONDS * 1000 + 2_000

const KEEP_ALIVE_LINES = `Connection: keep-alive\r\nKeep-Alive: ${KEEP_ALIVE_HINT}\r\n\r\n`

/** Headers that define the framing of an answer. Node interprets them. */
export const FRAMING = ['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade'] as const

/** Returns whether an answer sets framing headers. Node must then write its head. */
export function hasFraming({ headers }: Reply): boolean {
  return FRAMING.some((name) => headers[name] !== undefined)
}

/** Returns the lines of an answer's headers. Invalid headers are omitted, because they could inject other headers. */
export function formatHeaderLines(reply: Reply, log: RequestLog): string {
  const { headers } = reply
  let lines = ''
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (isSendable(name, value, log)) lines += `${name}: ${value}\r\n`
  }
  for (const cookie of safeCookies(reply)) lines += `set-cookie: ${cookie}\r\n`
  return lines
}

/** The date of the current second: the `Date` header of all answers in it. */
let second = -1
let date = ''

/**
 * Returns the head of an answer.
 * @param lines the lines of its headers
 * @param isDated whether the lines contain a date
 */
export function formatHead(status: number, lines: string, isDated: boolean): string {
  const firstLines = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${lines}`
  if (isDated) return firstLines + KEEP_ALIVE_LINES
  const time = Date.now()
  const now = Math.floor(time / 1000)
  if (now !== second) {
    second = now
    date = new Date(time).toUTCString()
  }
  return `${firstLines}Date: ${date}\r\n${KEEP_ALIVE_LINES}`
}
