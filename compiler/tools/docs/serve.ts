/** Serves the reference from memory, read-only. By default only this machine can connect. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { missingPage } from './html.ts'
import { SEARCH } from './scripts.ts'

interface ServedFile {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
}

/** Pages may load only their own stylesheet and script. */
const CONTENT_POLICY = `default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'sha256-${createHash('sha256').update(SEARCH).digest('base64')}'`

/** The playground compiles in the page. */
const PLAYGROUND_POLICY = CONTENT_POLICY.replace(/script-src .*$/, "script-src 'self' 'unsafe-eval'")

const TYPES: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' }

/** Returns a server for the files. It does not listen yet. @param files path → text */
export function referenceServer(files: ReadonlyMap<string, string>): Server {
  const served = new Map([...files].map(([path, text]) => [`/${path}`, servedFile(path, text)]))
  const missing = servedFile('404.html', missingPage())
  return createServer((request, response) => respond(served, missing, request, response))
}

function servedFile(path: string, text: string): ServedFile {
  const bytes = Buffer.from(text)
  return {
    type: `${TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/html'}; charset=utf-8`,
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  }
}

function respond(
  served: ReadonlyMap<string, ServedFile>,
  missing: ServedFile,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = (request.url ?? '/').replace(/[?#].*$/s, '')
  const headers = {
    'content-security-policy': path === '/playground.html' ? PLAYGROUND_POLICY : CONTENT_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { ...headers, allow: 'GET, HEAD' }).end()
    return
  }
  const file = served.get(path === '/' ? '/index.html' : path)
  const { type, bytes, etag } = file ?? missing
  if (file !== undefined && request.headers['if-none-match'] === etag) {
    response.writeHead(304, { ...headers, etag }).end()
    return
  }
  response.writeHead(file === undefined ? 404 : 200, {
    ...headers,
    'content-type': type,
    'content-length': bytes.length,
    ...(file === undefined ? {} : { etag }),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}
