/** The head of an answer as text: status line, the headers that may be sent, date, and that the connection stays. */
import { STATUS_CODES } from 'node:http'
import type { Reply } from './message.ts'
import type { RequestLog } from './request-log.ts'
import { isSendable, safeCookies } from './sending.ts'

/** Milliseconds for which an idle connection is kept. */
export const KEEP_ALIVE = 30_000

/**
 * Seconds for which a client may use an idle connection. Only after that time can the connection be closed
 * without a chance that a request is on its way. A process that stops has to wait for it, so it is short.
 */
const PROMISED = 3
/** The value of the header `Keep-Alive` that says so. */
export const KEEP_ALIVE_HINT = `timeout=${PROMISED}`

/**
 * Milliseconds after its last answer in which a client may still send a request on an idle connection: the announced time,
 * and time for a slow network or a busy client.
 */
export const IN_USE = PROMISED * 1000 + 2_000

const STAYS = `Connection: keep-alive\r\nKeep-Alive: ${KEEP_ALIVE_HINT}\r\n\r\n`

/** Headers that define how an answer is framed. Node interprets them. */
export const FRAMING = ['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade'] as const

/** Whether an answer says of itself how it is framed, so that Node has to read its headers. */
export function framesItself({ headers }: Reply): boolean {
  return FRAMING.some((name) => headers[name] !== undefined)
}

/** The lines of an answer's headers. Invalid ones are left out: they contain input, and could inject headers. */
export function linesOf(reply: Reply, log: RequestLog): string {
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
export function headOf(status: number, lines: string, isDated: boolean): string {
  const begin = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${lines}`
  if (isDated) return begin + STAYS
  const time = Date.now()
  const now = Math.floor(time / 1000)
  if (now !== second) {
    second = now
    date = new Date(time).toUTCString()
  }
  return `${begin}Date: ${date}\r\n${STAYS}`
}
