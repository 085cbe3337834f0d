/** The requests and replies of a handler: plain records, so that a handler can be tested without a socket. */

import type { Span } from '../../core/contracts/tracer.ts'

/** A request that cannot be read; `status` is that of the answer, and the message may be shown to the visitor. */
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

export interface Request {
  /** What is traced of it; absent or null where nothing is. */
  readonly span?: Span | null
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
  /** Names in lower case; repeated headers are joined as Node joins them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw body; null without one, and for a multipart body, whose parts are in `parts`. */
  readonly body: Uint8Array | null
  /** The fields of a `multipart/form-data` body in order, texts or files. */
  readonly parts?: readonly Part[] | null
  /** Why the body could not be read; `bodyParams` throws it. */
  readonly unreadable?: BadRequest | null
  /** Whether it had a body that was not read, because nobody takes one at its path. */
  readonly dropped?: boolean
  /** Identifies the request in logs; sent back as `X-Request-Id`. */
  readonly id: string
}

/** A file to stream; the listener handles ranges and conditional requests. */
export interface FileBody {
  readonly kind: 'file'
  /** Absolute path of the folder that must contain the file. */
  readonly root: string
  /** Path relative to `root`. */
  readonly path: string
  /** The strong mark of bytes that never change; without it the file's time and size are its mark. */
  readonly etag?: string
}

/** A stream of server-sent events that stays open until the client leaves. */
export interface EventsBody {
  readonly kind: 'events'
  /** Called when the stream opens, with a function that sends one event; returns a function to call when it closes. */
  readonly open: (send: (event: string, data: string) => void) => () => void
}

/** An uploaded file in a temporary place; it is deleted when the answer is sent, so it must be copied to be kept. */
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

/** Creates the record of an uploaded file; called only by the code that received it. */
export function sentFile(fields: Omit<SentFile, 'kind'>): SentFile {
  const file: SentFile = Object.freeze({ kind: 'sent-file', ...fields })
  sentFiles.add(file)
  return file
}

/** Whether a parameter is a file that was really uploaded. */
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
  readonly body: string | Uint8Array | FileBody | EventsBody | null
  /** Values for `set-cookie`, one for each cookie. */
  readonly cookies?: readonly string[]
  /** The template that answered, for the request log. */
  readonly file?: string
  /** Where no template has answered: the endpoint that has, one of a few names. */
  readonly endpoint?: string
  /** Id of the signed-in user, for the request log. */
  readonly user?: string
}

/** Answers at once where nothing has to be waited for. */
export type Handler = (request: Request) => Reply | Promise<Reply>

export function isFile(body: Reply['body']): body is FileBody {
  return body !== null && typeof body === 'object' && 'kind' in body && body.kind === 'file'
}

export function isEvents(body: Reply['body']): body is EventsBody {
  return body !== null && typeof body === 'object' && 'kind' in body && body.kind === 'events'
}

/** The value of a header, the first of several; `''` when it is missing. */
export function headerOf(request: Pick<Request, 'headers'>, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

/** The path of a URL, undecoded, without the query. */
export function pathOf(url: string): string {
  const queryStart = url.indexOf('?')
  return queryStart < 0 ? url : url.slice(0, queryStart)
}

/** The query of a URL, undecoded, without the question mark. */
export function queryOf(url: string): string {
  const queryStart = url.indexOf('?')
  return queryStart < 0 ? '' : url.slice(queryStart + 1)
}

/**
 * The redirect target that a site names. A path without a leading slash is relative to the root, because sites write
 * `admin/orders` as they write slugs.
 */
export function fromRoot(target: string): string {
  return /^(?:[a-z][a-z\d+.-]*:|[/?#.\\]|$)/i.test(target) ? target : `/${target}`
}

/** A redirect. Characters that are invalid in a header are percent-encoded. */
export function redirect(status: number, target: string): Reply {
  const location = headerSafe(fromRoot(target))
  return { status, headers: { location, 'content-type': 'text/html; charset=utf-8' }, body: '' }
}

// Printable ASCII is left alone, so that the author's own escapes are not escaped again.
function headerSafe(target: string): string {
  // Converting to bytes first replaces lone surrogates, which `encodeURIComponent` rejects.
  return target.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(Buffer.from(part).toString()))
}
