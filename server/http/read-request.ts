/** A request as the handler takes it, from what came over the socket; and why one is not taken at all. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { BadRequest, headerOf, type Request } from './message.ts'
import type { ReceivedParts } from './multipart.ts'

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
const REQUEST_ID = /^[\w.-]{1,128}$/

/** What is wrong with a request so that it means one thing here and may have meant another on its way; null where nothing is. */
export function problemOf(
  { headers, rawHeaders }: IncomingMessage,
  { host }: Request,
  isOurs: (host: string) => boolean,
): string | null {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'the Transfer-Encoding is not chunked'
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1 || !HOST.test(host)) return 'the Host header is not a host name'
  return isOurs(host) ? null : 'this site does not answer to that name'
}

/** Whether a host is one of the names: what a visitor calls the site by stands in its mails, too. */
export function namedBy(names: readonly string[]): (host: string) => boolean {
  if (names.length === 0) return () => true
  const whole = new Set(names.map((name) => name.toLowerCase()))
  const ends = [...whole].flatMap((name) => (name.startsWith('*.') ? [name.slice(1)] : []))
  return (host) => {
    const name = host.replace(/:\d+$/, '').toLowerCase()
    return whole.has(name) || ends.some((end) => name.endsWith(end) && name.length > end.length)
  }
}

/** @param incoming with its body read, where it has one */
export function toRequest(incoming: FastifyRequest): Request {
  const { raw } = incoming
  const sentId = headerOf(raw, 'x-request-id')
  const url = localUrl(raw.url ?? '/')
  const { body } = incoming
  return {
    method: raw.method ?? 'GET',
    url,
    protocol: incoming.protocol,
    host: incoming.host,
    ip: incoming.ip,
    headers: raw.headers,
    body: body instanceof Uint8Array ? body : null,
    parts: isReceived(body) ? body.parts : null,
    unreadable: body instanceof BadRequest ? body : packed(raw),
    id: REQUEST_ID.test(sentId) ? sentId : randomUUID(),
  }
}

/**
 * The address as a path of this site. Proxies may send the absolute form; and two slashes, or a slash and a backslash, at the start
 * of what is sent back to a browser would lead it to another host.
 */
function localUrl(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')
  return path[1] === '/' || path[1] === '\\' ? path.replace(/^[/\\]+/, '/') : path
}

// Bodies are read as they are: a few bytes could be unpacked to more than fits into memory.
function packed({ headers }: IncomingMessage): BadRequest | null {
  const coding = headers['content-encoding'] ?? ''
  return /^\s*(?:identity\s*)?$/i.test(coding)
    ? null
    : new BadRequest('the body must come without Content-Encoding', 415)
}

function isReceived(body: unknown): body is ReceivedParts {
  return typeof body === 'object' && body !== null && 'parts' in body && 'dispose' in body
}
