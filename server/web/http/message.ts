/** The requests and replies of handlers. Both are plain records, so that tests need no socket. */

import type { Writable } from 'node:stream'
import type { Span } from '../../core/contracts/tracer.ts'

/** The request cannot be read. `status` is the status of the answer; the message may be shown to the visitor. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest'
  constructor(
    message: string,
    readonly status: 400 | 413 | 415 | 503 = 400,
    cause?: Error,
  ) {
    super(message, { cause })
  }
}

/** Header names in lower case. Node joins repeated headers; the ones named here never have several values. */
interface RequestHeaders {
  readonly accept?: string | undefined
  readonly 'accept-language'?: string | undefined
  readonly authorization?: string | undefined
  readonly 'content-length'?: string | undefined
  readonly 'content-type'?: string | undefined
  readonly cookie?: string | undefined
  readonly 'if-none-match'?: string | undefined
  readonly 'transfer-encoding'?: string | undefined
  readonly [name: string]: string | readonly string[] | undefined
}

/** The parts of a request that are not derived from others. */
export interface RequestSource {
  /** In upper case. */
  readonly method: string
  /** Path and query as sent: `/items/5?page=2`. */
  readonly url: string
  /** `http` or `https`, as the client sees it. */
  readonly protocol: string
  /** Host with its port as the client sees it: `localhost:3000`. */
  readonly host: string
  /** IP address of the client. */
  readonly ip: string
  readonly headers: RequestHeaders
  /** The raw body. Null without one, and for a multipart body, whose fields are in `parts`. */
  readonly body: Uint8Array | null
  /** The fields of a `multipart/form-data` body in order, texts or files. */
  readonly parts?: readonly Part[] | null
  /** Why the body could not be read; `bodyParams` throws it. */
  readonly unreadable?: BadRequest | null
  /** Why the request is ambiguous or invalid, as a part of a sentence. Such a request is answered with 400. */
  readonly problem?: string | null
  /** Whether the request's body was discarded because the path does not need a body. */
  readonly dropped?: boolean
  /** Whether no cached page may answer, as when a page in development is analyzed. Absent for all other requests. */
  readonly isUncached?: boolean
  /** Whether a document that is being printed requests something of its own site. Absent for all other requests. */
  readonly isPrinted?: boolean
  /** Identifies the request in logs; sent back as `X-Request-Id`. */
  readonly id: string
  /** The span of the request. Absent or null when nothing is traced. */
  readonly span?: Span | null
}

/** A normalized request. Create it with `createRequest`, so that the derived fields match the headers and the URL. */
export interface Request extends RequestSource {
  /** Path of the URL, undecoded, without the query. */
  readonly path: string
  /** Query of the URL, undecoded, without the question mark. */
  readonly query: string
  /** Whether the path may name an asset: it is below `/assets/`, or it is a script. */
  readonly mayBeAsset: boolean
  /** Whether the headers announce a body. */
  readonly hasBody: boolean
  /**
   * Cache key of the requested page and language. Null when they also depend on a body or on credentials in
   * `Authorization`.
   */
  readonly pageKey: string | null
  // Headers that are read for most requests; `''` when missing.
  readonly accept: string
  readonly acceptLanguage: string
  readonly authorization: string
  readonly contentType: string
  readonly cookie: string
  readonly ifNoneMatch: string
}

/** A request whose span may not have begun, and whose body may be added later. */
export interface NewRequest extends Request {
  span: Span | null
  body: Uint8Array | null
  parts: readonly Part[] | null
  unreadable: BadRequest | null
  dropped: boolean
}

/** Path prefix of assets. */
export const ASSETS = '/assets/'

/**
 * Normalizes a request: splits the URL and reads the usual headers once.
 * @param source derived fields in it are ignored, so a changed copy of a request can be passed
 */
export function createRequest(source: RequestSource): NewRequest {
  const { method, url, protocol, host, headers } = source
  const queryStart = url.indexOf('?')
  const path = queryStart < 0 ? url : url.slice(0, queryStart)
  const length = headers['content-length']
  const accept = headers.accept ?? ''
  const acceptLanguage = headers['accept-language'] ?? ''
  const authorization = headers.authorization ?? ''
  const contentType = headers['content-type'] ?? ''
  const isPlain = method === 'GET' && authorization === '' && contentType === ''
  return {
    method,
    url,
    path,
    query: queryStart < 0 ? '' : url.slice(queryStart + 1),
    mayBeAsset: path.startsWith(ASSETS) || path.endsWith('.js'),
    pageKey: isPlain ? `${url}\n${host}\n${protocol}\n${accept}\n${acceptLanguage}` : null,
    protocol,
    host,
    ip: source.ip,
    headers,
    accept,
    acceptLanguage,
    authorization,
    contentType,
    cookie: headers.cookie ?? '',
    ifNoneMatch: headers['if-none-match'] ?? '',
    hasBody: headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0'),
    body: source.body,
    parts: source.parts ?? null,
    unreadable: source.unreadable ?? null,
    problem: source.problem ?? null,
    dropped: source.dropped ?? false,
    isUncached: source.isUncached ?? false,
    isPrinted: source.isPrinted ?? false,
    id: source.id,
    span: source.span ?? null,
  }
}

/** A file to stream. The listener handles ranges and conditional requests. */
export interface FileBody {
  readonly kind: 'file'
  /** Absolute path of the folder that must contain the file. */
  readonly root: string
  /** Path relative to `root`. */
  readonly path: string
  /** Strong ETag of bytes that never change. Without it, the ETag is made from the file's time and size. */
  readonly etag?: string
}

/** A stream of server-sent events that stays open until the client leaves. */
export interface EventsBody {
  readonly kind: 'events'
  /** Called when the stream opens, with a function that sends one event; returns a function to call when it closes. */
  readonly open: (send: (event: string, data: string) => void) => () => void
}

/** A body that is written while it is made, such as an export. Its length is unknown. */
export interface StreamBody {
  readonly kind: 'stream'
  /**
   * Writes and ends the body. It waits for a slow reader, and rejects when the client has left or the body cannot be made. The connection is
   * then closed, so that the client notices that the body is incomplete.
   */
  readonly write: (to: Writable) => Promise<void>
}

/** An uploaded file in a temporary folder. It is deleted after the answer, so it must be copied to be kept. */
export interface SentFile {
  readonly kind: 'sent-file'
  /** The sender's file name without folders and control characters. */
  readonly fileName: string
  /** Media type as claimed by the sender. */
  readonly contentType: string
  /** In bytes. */
  readonly size: number
  /** Absolute path. */
  readonly path: string
}

// JSON input can imitate this record with any path, so only registered objects are trusted.
const sentFiles = new WeakSet<object>()

/** Creates the record of an uploaded file. Only the code that received the file calls it. */
export function sentFile(fields: Omit<SentFile, 'kind'>): SentFile {
  const file: SentFile = Object.freeze({ kind: 'sent-file', ...fields })
  sentFiles.add(file)
  return file
}

/** Returns whether a parameter is an uploaded file, not an imitation. */
export function isSentFile(value: unknown): value is SentFile {
  return typeof value === 'object' && value !== null && sentFiles.has(value)
}

export interface Part {
  readonly name: string
  readonly value: string | SentFile
}

export interface Reply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | FileBody | EventsBody | StreamBody | null
  /** Values for `set-cookie`, one for each cookie. */
  readonly cookies?: readonly string[]
  /** The template that answered, for the request log. */
  readonly template?: string
  /** Name of the endpoint that answered, if no template did. There are only a few different names. */
  readonly endpoint?: string
  /** Id of the signed-in user, for the request log. */
  readonly user?: string
  /** Why the request was refused, for the request log. Visitors do not get it. */
  readonly reason?: string
}

/** Answers a request; synchronously when there is nothing to wait for. */
export type Handler = (request: Request) => Reply | Promise<Reply>

export function isFile(body: Reply['body']): body is FileBody {
  return body !== null && typeof body === 'object' && 'kind' in body && body.kind === 'file'
}

export function isEvents(body: Reply['body']): body is EventsBody {
  return body !== null && typeof body === 'object' && 'kind' in body && body.kind === 'events'
}

export function isStream(body: Reply['body']): body is StreamBody {
  return body !== null && typeof body === 'object' && 'kind' in body && body.kind === 'stream'
}

/** Returns the value of a header, the first of several; `''` when it is missing. */
export function headerOf(request: Pick<Request, 'headers'>, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

/** Returns the path of a URL, undecoded, without the query. */
export function pathOf(url: string): string {
  const queryStart = url.indexOf('?')
  return queryStart < 0 ? url : url.slice(0, queryStart)
}

/** Returns the query of a URL, undecoded, without the question mark. */
export function queryOf(url: string): string {
  const queryStart = url.indexOf('?')
  return queryStart < 0 ? '' : url.slice(queryStart + 1)
}

/**
 * Returns a redirect target that starts with a slash or a scheme. Sites write `admin/orders` as they write slugs, so
 * a path without a leading slash is relative to the root.
 */
export function fromRoot(target: string): string {
  return /^(?:[a-z][a-z\d+.-]*:|[/?#.\\]|$)/i.test(target) ? target : `/${target}`
}

/** Returns a redirect. Characters that are invalid in a header are percent-encoded. */
export function redirect(status: number, target: string): Reply {
  const location = headerSafe(fromRoot(target))
  return { status, headers: { location, 'content-type': 'text/html; charset=utf-8' }, body: '' }
}

// Printable ASCII is unchanged, so that existing escapes are not escaped again.
function headerSafe(target: string): string {
  // Converting to bytes first replaces lone surrogates, which `encodeURIComponent` rejects.
  return target.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(Buffer.from(part).toString()))
}
