/**
 * The HTTP client for requests to other servers. Every address is checked before it is connected to, and time and size
 * are limited.
 */
import { type LookupAddress, lookup } from 'node:dns'
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { errorCodeOf } from '../error-code.ts'
import type { Measures } from '../contracts/observer.ts'
import type { Span } from '../contracts/tracer.ts'
import { type AddressFilter, isPublicAddress } from './addresses.ts'

/** A request to another server. @internal Exported for tests. */
export interface OutgoingRequest {
  /** Absolute URL, with `http:` or `https:`. */
  readonly url: string
  /** In upper case; GET by default. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | null
  /** Milliseconds for the whole request, redirects included. */
  readonly timeout: number
  /** Maximum size of the response body in bytes, after decompression. */
  readonly limit: number
  /** Maximum number of redirects to follow; 0 by default, which returns a redirect as the response. */
  readonly redirects?: number
  /** Whether to verify certificates; true by default. */
  readonly verify?: boolean
  /** Aborts the request. */
  readonly signal?: AbortSignal
  /** The span that the request belongs to; absent when nothing is traced. */
  readonly span?: Span
}

export interface OutgoingResponse {
  readonly status: number
  /** Names in lower case; repeated ones are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The final URL after all redirects. */
  readonly url: URL
}

/** A response whose body is still being received. It must be read to its end or destroyed. */
export interface OpenedResponse extends Omit<OutgoingResponse, 'body'> {
  /** The decompressed body. Reading it may throw OutgoingFailure. */
  readonly body: AsyncIterable<Buffer>
  destroy(): void
}

export interface Outgoing {
  /**
   * Sends a request and reads the whole response.
   * @throws OutgoingFailure
   */
  send(request: OutgoingRequest): Promise<OutgoingResponse>
  /**
   * Sends a request, and returns the response with its body as a stream.
   * @throws OutgoingFailure
   */
  open(request: OutgoingRequest): Promise<OpenedResponse>
  /** Closes idle connections. */
  close(): void
}

/** Thrown when a request gets no valid response. */
export class OutgoingFailure extends Error {
  override readonly name = 'OutgoingFailure'
  constructor(
    message: string,
    /**
     * `url`: it is invalid; `closed`: its address is not allowed; `timeout`; `large`: the body is too large;
     * `redirects`: too many; `network`: no connection, a broken one, or no valid HTTP.
     */
    readonly reason: 'url' | 'closed' | 'timeout' | 'large' | 'redirects' | 'network',
  ) {
    super(message)
  }
}

interface OutgoingOptions {
  /** By default only public addresses. */
  readonly guard?: AddressFilter
  readonly originOverrides?: OriginOverrides
  /** Absent or null when nothing is measured. */
  readonly measures?: Measures | null
}

/**
 * Servers to contact instead of others, by origin: `https://api.example` → `http://127.0.0.1:9999`. Their addresses are
 * not checked, and they receive the original path and `Host`.
 */
export type OriginOverrides = Readonly<Record<string, string>>

/** Headers that the client sets itself. */
const OWN_HEADERS =
  /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i
/** Idempotent methods, which may be sent twice. */
const IDEMPOTENT_METHODS = /^(?:GET|HEAD|OPTIONS|PUT|DELETE)$/

/** Creates a client. A process has one, because connections are kept open for further requests to the same server. */
export function createOutgoing({
  guard = isPublicAddress,
  originOverrides = {},
  measures = null,
}: OutgoingOptions = {}): Outgoing {
  return new OutgoingClient(guard, originOverrides, measures)
}

/** A request to one server, without its redirects. */
interface SingleRequest extends Required<Pick<OutgoingRequest, 'method' | 'headers' | 'verify' | 'signal'>> {
  readonly url: URL
  readonly body: string | Uint8Array | null
}

interface SentRequest {
  readonly request: ClientRequest
  readonly message: Promise<IncomingMessage>
}

class OutgoingClient implements Outgoing {
  readonly #guard: AddressFilter
  readonly #originOverrides: OriginOverrides
  readonly #measures: Measures | null
  readonly #agents: { readonly http: HttpAgent; readonly https: HttpsAgent }

  constructor(guard: AddressFilter, originOverrides: OriginOverrides, measures: Measures | null) {
    this.#guard = guard
    this.#measures = measures
    this.#originOverrides = originOverrides
    const agentOptions = { keepAlive: true, maxFreeSockets: 8, timeout: 30_000 }
    this.#agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) }
  }

  async send(request: OutgoingRequest): Promise<OutgoingResponse> {
    const { body, status, headers, url } = await this.open(request)
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(chunk)
    return { status, headers, url, body: Buffer.concat(chunks) }
  }

  async open(request: OutgoingRequest): Promise<OpenedResponse> {
    if (this.#measures === null && request.span === undefined) return this.#open(request)
    const startedAt = performance.now()
    const span = request.span === undefined ? null : startRequestSpan(request.span, request)
    const recordEnd = (outcome: string, status: number | null, error: string | null): void => {
      const ms = performance.now() - startedAt
      this.#measures?.outgoing(outcome, ms / 1000)
      span?.end()
      request.span?.recording?.call({ method: request.method ?? 'GET', url: request.url, status, ms, error })
    }
    try {
      const response = await this.#open(span === null ? request : withTrace(request, span))
      span?.set({ 'http.response.status_code': response.status })
      recordEnd(String(response.status), response.status, null)
      return response
    } catch (error) {
      span?.fail(error)
      const reason = error instanceof OutgoingFailure ? error.reason : 'network'
      recordEnd(reason, null, error instanceof Error ? error.message : reason)
      throw error
    }
  }

  async #open(options: OutgoingRequest): Promise<OpenedResponse> {
    const { method = 'GET', headers = {}, body = null, verify = true, redirects = 0, limit } = options
    const timeoutSignal = AbortSignal.timeout(Math.max(1, options.timeout))
    const signal = options.signal === undefined ? timeoutSignal : AbortSignal.any([timeoutSignal, options.signal])
    const toFailure = (error: unknown): OutgoingFailure =>
      failureOf(error, timeoutSignal.aborted ? options.timeout : null)
    let request: SingleRequest = { url: parseUrl(options.url), method, headers, body, verify, signal }
    for (let redirectCount = 0; ; redirectCount++) {
      const message = await this.#sendWithRetry(request).catch((error: unknown) => {
        throw toFailure(error)
      })
      const { statusCode: status = 0 } = message
      const { location } = message.headers
      if (redirects === 0 || status < 300 || status >= 400 || location === undefined) {
        return {
          status,
          headers: joinRepeatedHeaders(message),
          url: request.url,
          body: readLimited(message, request.method, limit, toFailure),
          destroy: () => message.destroy(),
        }
      }
      message.destroy()
      if (redirectCount >= redirects) throw new OutgoingFailure('there are too many redirects', 'redirects')
      request = redirectedRequest(request, status, location)
    }
  }

  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  /**
   * A server may close a kept connection just when it is reused; an idempotent request is then repeated on a new one.
   */
  async #sendWithRetry(request: SingleRequest): Promise<IncomingMessage> {
    if (!IDEMPOTENT_METHODS.test(request.method)) return this.#send(request, false).message
    const first = this.#send(request, true)
    try {
      return await first.message
    } catch (error) {
      if (!first.request.reusedSocket || request.signal.aborted || !isReset(error)) throw error
      return this.#send(request, false).message
    }
  }

  #send({ url: original, method, headers, body, verify, signal }: SingleRequest, reuse: boolean): SentRequest {
    const override = Object.hasOwn(this.#originOverrides, original.origin)
      ? this.#originOverrides[original.origin]
      : undefined
    const url = override === undefined ? original : withOrigin(original, override)
    const allowed = override === undefined ? this.#guard : () => true
    const host = hostOf(url)
    // A literal address is not looked up, so it is checked here.
    if (isIP(host) !== 0 && !allowed(host, host)) throw new ConnectionClosed()
    const isSecure = url.protocol === 'https:'
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method,
      signal,
      headers: headersFor(override === undefined ? headers : { host: original.host, ...headers }, body),
      lookup: createGuardedLookup(allowed, host),
      // Without reuse, node creates an agent for this request only.
      agent: reuse ? (isSecure ? this.#agents.https : this.#agents.http) : false,
      ...(isSecure ? { rejectUnauthorized: verify } : {}),
    })
    const message = waitForResponse(request)
    if (body === null) request.end()
    else request.end(body)
    return { request, message }
  }
}

/** Names the server only. The rest of the URL may contain secrets. */
function startRequestSpan(parent: Span, { url, method = 'GET' }: OutgoingRequest): Span {
  const host = URL.canParse(url.trim()) ? new URL(url.trim()).host : ''
  return parent.child(`${method} ${host}`, 'client', { 'http.request.method': method, 'server.address': host })
}

/** Returns the request with the headers of its trace. Existing headers are kept. */
function withTrace(request: OutgoingRequest, span: Span): OutgoingRequest {
  const { headers = {} } = request
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const added = Object.entries(span.headers()).filter(([name]) => !names.has(name))
  return { ...request, headers: { ...headers, ...Object.fromEntries(added) } }
}

/** Returns a client whose requests belong to a span. */
export function outgoingWithin(outgoing: Outgoing, span: Span): Outgoing {
  return {
    send: (request) => outgoing.send({ ...request, span }),
    open: (request) => outgoing.open({ ...request, span }),
    close: () => outgoing.close(),
  }
}

function waitForResponse(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.on('error', reject)
    // No upgrade was requested.
    request.once('upgrade', (answer, socket) => {
      socket.destroy()
      resolve(answer)
    })
  })
}

/**
 * Returns the request that follows a redirect.
 * @throws OutgoingFailure for an invalid location
 */
function redirectedRequest(request: SingleRequest, status: number, location: string): SingleRequest {
  const url = parseUrl(location, request.url)
  let { method, body, headers } = request
  // Credentials for one origin must not be sent to another.
  if (url.origin !== request.url.origin)
    headers = omitHeaders(headers, /^(?:authorization|cookie|host|proxy-authorization)$/i)
  if (status === 303 || ((status === 301 || status === 302) && method === 'POST')) {
    method = method === 'HEAD' ? 'HEAD' : 'GET'
    body = null
    headers = omitHeaders(headers, /^content-/i)
  }
  return { ...request, url, method, body, headers }
}

class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed'
}

class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge'
}

function parseUrl(text: string, base?: URL): URL {
  const createFailure = (reason: string): OutgoingFailure => new OutgoingFailure(reason, 'url')
  if (!URL.canParse(text.trim(), base?.href)) throw createFailure('its URL is not valid')
  const url = new URL(text.trim(), base)
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    throw createFailure('its URL does not begin with http:// or https://')
  if (url.username !== '' || url.password !== '')
    throw createFailure('its URL contains a user name or password: send it in a header instead')
  return url
}

/** Returns the URL on another server, with the same path and query. */
function withOrigin(originalUrl: URL, origin: string): URL {
  const url = new URL(origin)
  url.pathname = originalUrl.pathname
  url.search = originalUrl.search
  return url
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Creates a DNS lookup that checks the addresses it returns, so that the connection uses no others. */
function createGuardedLookup(guard: AddressFilter, host: string): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, resolved) => {
      const addresses: readonly LookupAddress[] = resolved ?? []
      const first = addresses[0]
      if (error !== null) return done(error, '', 0)
      // When one of a name's addresses is private, none is used.
      if (first === undefined || !addresses.every(({ address }) => guard(address, host)))
        return done(new ConnectionClosed(), '', 0)
      if (options.all) done(null, [...addresses])
      else done(null, first.address, first.family)
    })
  }
}

function headersFor(given: Readonly<Record<string, string>>, body: string | Uint8Array | null): Record<string, string> {
  const headers: Record<string, string> = {}
  const names = new Set<string>()
  for (const [name, value] of Object.entries(given)) {
    if (OWN_HEADERS.test(name)) continue
    names.add(name.toLowerCase())
    headers[name] = value
  }
  const defaultHeaders = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Ingot' }
  for (const [name, value] of Object.entries(defaultHeaders)) if (!names.has(name)) headers[name] = value
  if (body !== null) headers['content-length'] = String(Buffer.byteLength(body))
  return headers
}

function omitHeaders(headers: Readonly<Record<string, string>>, names: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)))
}

function joinRepeatedHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}

async function* readLimited(
  message: IncomingMessage,
  method: string,
  limit: number,
  toFailure: (error: unknown) => OutgoingFailure,
): AsyncGenerator<Buffer> {
  let size = 0
  try {
    if (Number(message.headers['content-length'] ?? 0) > limit && method !== 'HEAD') throw new ResponseTooLarge()
    for await (const chunk of decompress(message)) {
      size += chunk.length
      if (size > limit) throw new ResponseTooLarge()
      yield chunk
    }
  } catch (error) {
    throw error instanceof ResponseTooLarge
      ? new OutgoingFailure(`the response is larger than ${limit} bytes`, 'large')
      : toFailure(error)
  } finally {
    // After a complete response, the connection stays open for reuse.
    if (!message.complete) message.destroy()
  }
}

/** Decompresses the body. Some servers compress without being asked. */
function decompress(message: IncomingMessage): AsyncIterable<Buffer> {
  const stream = createDecompressor(message.headers['content-encoding']?.trim().toLowerCase() ?? '')
  if (stream === null) return message
  message.once('error', (error) => stream.destroy(error))
  message.once('aborted', () => stream.destroy(new Error('the connection was lost')))
  stream.once('close', () => message.resume())
  // Node's types do not say that the chunks are buffers.
  return message.pipe(stream) as Readable & AsyncIterable<Buffer>
}

function createDecompressor(
  encoding: string,
): ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress> | null {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  return encoding === 'br' ? createBrotliDecompress() : null
}

function isReset(error: unknown): boolean {
  return errorCodeOf(error) === 'ECONNRESET' || errorCodeOf(error) === 'EPIPE'
}

const NETWORK_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved',
  ECONNREFUSED: 'nothing listens at this address',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the connection took too long',
  HPE_HEADER_OVERFLOW: 'the headers of the response are too large',
  ERR_INVALID_CHAR: 'a header contains characters that cannot be sent',
  ERR_INVALID_HTTP_TOKEN: 'a header has a name that cannot be sent',
  ERR_UNESCAPED_CHARACTERS: 'its URL contains characters that cannot be sent',
}

/**
 * Converts an error of a request to an OutgoingFailure.
 * @param timeout the expired timeout in milliseconds; null when it has not expired
 */
function failureOf(error: unknown, timeout: number | null): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error
  if (timeout !== null) return new OutgoingFailure(`no answer within ${timeout / 1000} s`, 'timeout')
  if (error instanceof ConnectionClosed)
    return new OutgoingFailure('this site is not allowed to connect to its address', 'closed')
  const code = errorCodeOf(error) ?? ''
  if (code === 'ABORT_ERR') return new OutgoingFailure('it was cancelled before the response arrived', 'timeout')
  // After several addresses failed, the first error counts.
  const first = error instanceof AggregateError ? (errorCodeOf(error.errors[0]) ?? '') : ''
  const known = NETWORK_ERRORS[code] ?? NETWORK_ERRORS[first]
  if (known !== undefined) return new OutgoingFailure(known, 'network')
  if (code.startsWith('HPE_')) return new OutgoingFailure('the response is not HTTP', 'network')
  if (/^(?:ERR_TLS|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|ERR_SSL|EPROTO)/.test(code)) {
    return new OutgoingFailure(`its certificate is not trusted, or TLS failed (${code})`, 'network')
  }
  return new OutgoingFailure(
    error instanceof Error ? error.message || 'the connection was lost' : String(error),
    'network',
  )
}
