/** Reads an incoming request into a normalized record, and finds requests that are ambiguous or invalid. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { clientAddress, lastItem } from './client.ts'
import { BadRequest, createRequest, type NewRequest } from './message.ts'
import type { ReceivedBody } from './multipart.ts'

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
const REQUEST_ID = /^[\w.-]{1,128}$/

/**
 * Reads a request without its body. Called once for each request.
 * @param proxies number of proxies whose `X-Forwarded-*` headers are trusted
 */
export function readRequest(message: IncomingMessage, proxies: number): NewRequest {
  const { headers, rawHeaders, url = '/' } = message
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
  // A proxy in front may have interpreted an ambiguous request differently, so the gate refuses it.
  let problem: string | null = null
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  const framing = headers['transfer-encoding']
  if (framing !== undefined && framing.toLowerCase() !== 'chunked') problem = 'the Transfer-Encoding is not chunked'
  else if (hosts > 1 || !HOST.test(host)) problem = 'the Host header is not a host name'
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
    problem,
    id: typeof sentId === 'string' && REQUEST_ID.test(sentId) ? sentId : randomUUID(),
  })
}

/** Adds what the framework has read of the body; undefined without a body. */
export function addBody(request: NewRequest, body: unknown): void {
  if (body instanceof Uint8Array) request.body = body
  else if (body instanceof BadRequest) request.unreadable = body
  else if (isReceived(body)) request.parts = body.parts
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

function isReceived(body: unknown): body is ReceivedBody {
  return typeof body === 'object' && body !== null && 'parts' in body && 'dispose' in body
}
