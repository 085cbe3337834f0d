/** Converts an incoming request to a record, and refuses requests that are ambiguous or invalid. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Span } from '../../core/contracts/tracer.ts'
import { clientOf } from './client.ts'
import type { HostNames } from './host-names.ts'
import { BadRequest, headerOf, type Request } from './message.ts'
import type { ReceivedParts } from './multipart.ts'

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
const REQUEST_ID = /^[\w.-]{1,128}$/

/** Why a request is refused: a proxy on its way may have interpreted it differently. Null when it is unambiguous. */
export function problemOf(
  { headers, rawHeaders }: IncomingMessage,
  { host }: Request,
  refusal: HostNames['refusal'],
): string | null {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'the Transfer-Encoding is not chunked'
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1 || !HOST.test(host)) return 'the Host header is not a host name'
  return refusal(host)
}

/** A request whose span has not begun yet, and whose body may come later. */
export interface ReceivedRequest extends Request {
  span: Span | null
  body: Uint8Array | null
}

/**
 * @param body what was read of its body; undefined without one
 * @param proxies number of proxies whose `X-Forwarded-*` headers are trusted
 */
export function toRequest(message: IncomingMessage, body: unknown, proxies: number): ReceivedRequest {
  const sentId = headerOf(message, 'x-request-id')
  const { protocol, host, ip } = clientOf(message, proxies)
  return {
    span: null,
    method: message.method ?? 'GET',
    url: localUrl(message.url ?? '/'),
    protocol,
    host,
    ip,
    headers: message.headers,
    body: body instanceof Uint8Array ? body : null,
    parts: isReceived(body) ? body.parts : null,
    unreadable: body instanceof BadRequest ? body : compressionRefusal(message),
    id: sentId !== '' && REQUEST_ID.test(sentId) ? sentId : randomUUID(),
  }
}

/**
 * Normalizes the URL to a path of this site. Proxies may send an absolute URL; and a path that starts with two slashes,
 * or a slash and a backslash, would lead a browser to another host when it is sent back.
 */
function localUrl(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')
  return path[1] === '/' || path[1] === '\\' ? path.replace(/^[/\\]+/, '/') : path
}

// Compressed bodies are refused: a few bytes could expand to more than fits into memory.
function compressionRefusal({ headers }: IncomingMessage): BadRequest | null {
  const coding = headers['content-encoding']
  return coding === undefined || /^\s*(?:identity\s*)?$/i.test(coding)
    ? null
    : new BadRequest('the body must come without Content-Encoding', 415)
}

function isReceived(body: unknown): body is ReceivedParts {
  return typeof body === 'object' && body !== null && 'parts' in body && 'dispose' in body
}
