/** Reads an incoming request into a normalized record, and finds requests that are ambiguous or invalid. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { clientAddress, lastItem } from './client.ts'
import { BadRequest, createRequest, type NewRequest } from './message.ts'
import type { ReceivedParts } from './multipart.ts'

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
const REQUEST_ID = /^[\w.-]{1,128}$/

/**
 * Reads a request without its body. Called once for each request.
 * @param proxies number of proxies whose `X-Forwarded-*` headers are trusted
 */
export function readRequest(message: IncomingMessage, proxies: number): NewRequest {
  const { headers, url = '/' } = message
  const sentId = headers['x-request-id']
  const coding = headers['content-encoding']
  let ip = message.socket.remoteAddress ?? ''
  let protocol = 'http'
  let host = headers.host ?? ''
  if (proxies > 0) {
    ip = clientAddress(message, proxies)
    protocol = lastItem(headers['x-forwarded-proto']) || protocol
    host = lastItem(headers['x-forwarded-host']) || host
  }
  const isPath = url[0] === '/' && url[1] !== '/' && url[1] !== '\\'
  return createRequest({
    method: message.method ?? 'GET',
    url: isPath ? url : localUrl(url),
    protocol,
    host,
    ip,
    headers,
    body: null,
    unreadable: coding === undefined ? null : compressionRefusal(coding),
    problem: findProblem(message, host),
    id: typeof sentId === 'string' && REQUEST_ID.test(sentId) ? sentId : randomUUID(),
  })
}

/** Adds what the framework has read of the body; undefined without a body. */
export function addBody(request: NewRequest, body: unknown): void {
  if (body instanceof Uint8Array) request.body = body
  else if (body instanceof BadRequest) request.unreadable = body
  else if (isReceived(body)) request.parts = body.parts
}

/** Returns why a proxy may have interpreted the request differently; null when the request is unambiguous. */
function findProblem({ headers, rawHeaders }: IncomingMessage, host: string): string | null {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'the Transfer-Encoding is not chunked'
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1 || !HOST.test(host) ? 'the Host header is not a host name' : null
}

/**
 * Normalizes the URL to a path of this site. Proxies may send an absolute URL. A path that starts with two slashes, or a
 * slash and a backslash, would lead a browser to another host when it is sent back.
 */
function localUrl(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')
  return path[1] === '/' || path[1] === '\\' ? path.replace(/^[/\\]+/, '/') : path
}

// Compressed bodies are refused: a few bytes could expand to more than fits into memory.
function compressionRefusal(coding: string): BadRequest | null {
  return /^\s*(?:identity\s*)?$/i.test(coding)
    ? null
    : new BadRequest('the body must come without Content-Encoding', 415)
}

function isReceived(body: unknown): body is ReceivedParts {
  return typeof body === 'object' && body !== null && 'parts' in body && 'dispose' in body
}
