/** Requests to other servers: every address is looked at before it is connected to, and nothing waits or grows without end. */
import { type LookupAddress, lookup } from 'node:dns'
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type AddressFilter, isPublicAddress } from './addresses.ts'

export interface OutgoingRequest {
  /** Absolute, `http:` or `https:`. */
  readonly url: string
  /** Upper case; GET by default. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | null
  /** Milliseconds for all of it, its redirects included. */
  readonly timeout: number
  /** Bytes of the answer's body at the most, unpacked. */
  readonly limit: number
  /** How often it may be sent elsewhere; 0 by default: an answer that redirects is an answer. */
  readonly redirects?: number
  /** Whether certificates must be good; true by default. */
  readonly verify?: boolean
  /** Ends it early. */
  readonly signal?: AbortSignal
}

export interface OutgoingResponse {
  readonly status: number
  /** Lower-case names; repeated ones joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Where it came from, after all redirects. */
  readonly url: URL
}

/** An answer whose body is still on its way. It must be read to its end or destroyed. */
export interface OpenedResponse extends Omit<OutgoingResponse, 'body'> {
  /** Unpacked. Reading it throws OutgoingFailure. */
  readonly body: AsyncIterable<Buffer>
  destroy(): void
}

export interface Outgoing {
  /** The whole answer. @throws OutgoingFailure */
  send(request: OutgoingRequest): Promise<OutgoingResponse>
  /** The same, with a body that is read piece by piece. @throws OutgoingFailure */
  open(request: OutgoingRequest): Promise<OpenedResponse>
  /** Ends idle connections. */
  close(): void
}

/** Why there is no answer. */
export class OutgoingFailure extends Error {
  override readonly name = 'OutgoingFailure'
  constructor(
    message: string,
    /**
     * `url`: it is none; `closed`: it leads into our own network; `timeout`; `large`: the body is; `redirects`: too many;
     * `network`: no connection, or one that broke, or no HTTP.
     */
    readonly reason: 'url' | 'closed' | 'timeout' | 'large' | 'redirects' | 'network',
  ) {
    super(message)
  }
}

export interface OutgoingOptions {
  /** By default what is public. */
  readonly guard?: AddressFilter
  readonly standIns?: OriginOverrides
}

/**
 * Servers that answer in the place of others, by origin: `https://api.example` → `http://127.0.0.1:9999`. They may be anywhere, and are
 * asked for the same path, with the `Host` of the server that was meant.
 */
export type OriginOverrides = Readonly<Record<string, string>>

/** What the connection itself says, and nobody else. */
const OURS = /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i
/** Asked twice, these do what they do once. */
const REPEATABLE = /^(?:GET|HEAD|OPTIONS|PUT|DELETE)$/

/** One for the process: connections stay open for a while for the next request to the same server. */
export function createOutgoing({ guard = isPublicAddress, standIns = {} }: OutgoingOptions = {}): Outgoing {
  const kept = { keepAlive: true, maxFreeSockets: 8, timeout: 30_000 }
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) }

  async function open(request: OutgoingRequest): Promise<OpenedResponse> {
    const { redirects = 0, limit } = request
    const late = AbortSignal.timeout(Math.max(1, request.timeout))
    const signal = request.signal === undefined ? late : AbortSignal.any([late, request.signal])
    const explained = (error: unknown): OutgoingFailure => failureOf(error, late.aborted ? request.timeout : null)
    let url = parsed(request.url)
    let { method = 'GET', body = null, headers = {} } = request
    for (let hops = 0; ; hops++) {
      let message: IncomingMessage
      try {
        message = await answered(url, { method, body, headers, verify: request.verify ?? true, signal })
      } catch (error) {
        throw explained(error)
      }
      const { statusCode: status = 0 } = message
      const { location } = message.headers
      if (redirects > 0 && status >= 300 && status < 400 && location !== undefined) {
        message.destroy()
        if (hops >= redirects) throw new OutgoingFailure('it is redirected too often', 'redirects')
        const next = parsed(location, url)
        // What was meant for one server is not shown to another.
        if (next.origin !== url.origin)
          headers = without(headers, /^(?:authorization|cookie|host|proxy-authorization)$/i)
        if (status === 303 || ((status === 301 || status === 302) && method === 'POST')) {
          ;[method, body] = [method === 'HEAD' ? 'HEAD' : 'GET', null]
          headers = without(headers, /^content-/i)
        }
        url = next
        continue
      }
      return {
        status,
        headers: joined(message),
        url,
        body: bounded(message, method, limit, explained),
        destroy: () => message.destroy(),
      }
    }
  }

  interface SingleRequest extends Required<Pick<OutgoingRequest, 'method' | 'headers' | 'verify' | 'signal'>> {
    readonly body: string | Uint8Array | null
  }

  /** A server may close a kept connection just as we use it; what may be repeated is sent again on a new one. */
  async function answered(url: URL, once: SingleRequest): Promise<IncomingMessage> {
    if (!REPEATABLE.test(once.method)) return ask(url, once, false).message
    const first = ask(url, once, true)
    try {
      return await first.message
    } catch (error) {
      if (!first.asked.reusedSocket || once.signal.aborted || !isReset(error)) throw error
      return ask(url, once, false).message
    }
  }

  function ask(
    meant: URL,
    once: SingleRequest,
    reuse: boolean,
  ): { asked: ClientRequest; message: Promise<IncomingMessage> } {
    const standIn = Object.hasOwn(standIns, meant.origin) ? standIns[meant.origin] : undefined
    const url = standIn === undefined ? meant : insteadOf(meant, standIn)
    const allowed = standIn === undefined ? guard : () => true
    const host = hostOf(url)
    // An address that is written out is never looked up.
    if (isIP(host) !== 0 && !allowed(host, host)) throw new ConnectionClosed()
    const isSecure = url.protocol === 'https:'
    const { method, headers, body, signal, verify } = once
    const options = {
      method,
      signal,
      headers: headersFor(standIn === undefined ? headers : { host: meant.host, ...headers }, body),
      lookup: guarded(allowed, host),
      // A connection that is not kept has an agent of its own.
      agent: reuse ? (isSecure ? agents.https : agents.http) : false,
      ...(isSecure ? { rejectUnauthorized: verify } : {}),
    } as const
    const asked = (isSecure ? httpsRequest : httpRequest)(url, options)
    const message = new Promise<IncomingMessage>((done, failed) => {
      asked.once('response', done)
      asked.on('error', failed)
      // Nobody asked for another protocol.
      asked.once('upgrade', (answer, socket) => {
        socket.destroy()
        done(answer)
      })
    })
    if (body === null) asked.end()
    else asked.end(body)
    return { asked, message }
  }

  return {
    open,
    async send(request) {
      const { body, status, headers, url } = await open(request)
      const chunks: Buffer[] = []
      for await (const chunk of body) chunks.push(chunk)
      return { status, headers, url, body: Buffer.concat(chunks) }
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed'
}

class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge'
}

function parsed(text: string, base?: URL): URL {
  const none = (why: string): OutgoingFailure => new OutgoingFailure(why, 'url')
  if (!URL.canParse(text.trim(), base?.href)) throw none('its URL is none')
  const url = new URL(text.trim(), base)
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    throw none('its URL is not of the web')
  if (url.username !== '' || url.password !== '') throw none('its URL holds a password: send a header instead')
  return url
}

/** The same path and query on another server. */
function insteadOf(meant: URL, origin: string): URL {
  const url = new URL(origin)
  url.pathname = meant.pathname
  url.search = meant.search
  return url
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** What a name stands for is looked up once: the connection goes to the addresses that were looked at. */
function guarded(guard: AddressFilter, host: string): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses: readonly LookupAddress[] = found ?? []
      const first = addresses[0]
      if (error !== null) return done(error, '', 0)
      // A name of which one address is our own is meant for us.
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
    if (OURS.test(name)) continue
    names.add(name.toLowerCase())
    headers[name] = value
  }
  const usual = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Ingot' }
  for (const [name, value] of Object.entries(usual)) if (!names.has(name)) headers[name] = value
  if (body !== null) headers['content-length'] = String(Buffer.byteLength(body))
  return headers
}

function without(headers: Readonly<Record<string, string>>, names: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)))
}

function joined({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}

async function* bounded(
  message: IncomingMessage,
  method: string,
  limit: number,
  explained: (error: unknown) => OutgoingFailure,
): AsyncGenerator<Buffer> {
  let size = 0
  try {
    if (Number(message.headers['content-length'] ?? 0) > limit && method !== 'HEAD') throw new ResponseTooLarge()
    for await (const chunk of unpacked(message)) {
      size += chunk.length
      if (size > limit) throw new ResponseTooLarge()
      yield chunk
    }
  } catch (error) {
    throw error instanceof ResponseTooLarge
      ? new OutgoingFailure(`its answer is larger than ${limit} bytes`, 'large')
      : explained(error)
  } finally {
    // Of an answer that was read to its end, the connection stays.
    if (!message.complete) message.destroy()
  }
}

/** Servers pack their answers also where nobody asked them to. */
function unpacked(message: IncomingMessage): AsyncIterable<Buffer> {
  const stream = unpackerOf(message.headers['content-encoding']?.trim().toLowerCase() ?? '')
  if (stream === null) return message
  message.once('error', (error) => stream.destroy(error))
  message.once('aborted', () => stream.destroy(new Error('the connection broke')))
  stream.once('close', () => message.resume())
  return message.pipe(stream) as Readable & AsyncIterable<Buffer>
}

function unpackerOf(
  encoding: string,
): ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress> | null {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  return encoding === 'br' ? createBrotliDecompress() : null
}

function isReset(error: unknown): boolean {
  return codeOf(error) === 'ECONNRESET' || codeOf(error) === 'EPIPE'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host could not be looked up',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  ETIMEDOUT: 'no connection in time',
  HPE_HEADER_OVERFLOW: 'the headers of its answer are too large',
  ERR_INVALID_CHAR: 'a header holds characters that cannot be sent',
  ERR_INVALID_HTTP_TOKEN: 'a header has a name that cannot be sent',
  ERR_UNESCAPED_CHARACTERS: 'its URL holds characters that cannot be sent',
}

/** @param timeout milliseconds, where they have run out */
function failureOf(error: unknown, timeout: number | null): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error
  if (timeout !== null) return new OutgoingFailure(`no answer within ${timeout / 1000} s`, 'timeout')
  if (error instanceof ConnectionClosed) return new OutgoingFailure('its address is not open to this site', 'closed')
  const code = codeOf(error)
  if (code === 'ABORT_ERR') return new OutgoingFailure('it was ended before the answer came', 'timeout')
  // Several addresses were tried: the first says why.
  const first = error instanceof AggregateError ? codeOf(error.errors[0]) : ''
  const known = SENTENCES[code] ?? SENTENCES[first]
  if (known !== undefined) return new OutgoingFailure(known, 'network')
  if (code.startsWith('HPE_')) return new OutgoingFailure('its answer is no HTTP', 'network')
  if (/^(?:ERR_TLS|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|ERR_SSL|EPROTO)/.test(code)) {
    return new OutgoingFailure(`its certificate or its TLS is not good (${code})`, 'network')
  }
  return new OutgoingFailure(
    error instanceof Error ? error.message || 'the connection broke' : String(error),
    'network',
  )
}
