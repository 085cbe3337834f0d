/** What a handler takes and gives: plain records, so that a handler is tested without a socket. */

/** A request that cannot be read; `status` is the answer and the message may be shown to the visitor. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest'
  constructor(
    message: string,
    readonly status: 400 | 413 | 415 | 503 = 400,
  ) {
    super(message)
  }
}

export interface Request {
  /** Upper case, as sent. */
  readonly method: string
  /** Path and query as sent: `/items/5?page=2`. */
  readonly url: string
  /** `http` or `https`, as the visitor sees it. */
  readonly protocol: string
  /** Host with its port as the visitor sees it: `localhost:3000`. */
  readonly host: string
  /** Address of the visitor. */
  readonly ip: string
  /** Lower-case names; repeated headers joined as Node joins them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Bytes of the body; null without one, and for a body of several parts, which stand in `parts`. */
  readonly body: Uint8Array | null
  /** A `multipart/form-data` body: its fields in order, texts or files. */
  readonly parts?: readonly Part[] | null
  /** Why the body could not be read, where it could not: `bodyParams` says so to whoever asks for it. */
  readonly unreadable?: BadRequest | null
  /** Printed in logs and sent back as `X-Request-Id`. */
  readonly id: string
}

/** A file that the listener streams: it answers ranges and conditional requests itself. */
export interface FileBody {
  readonly kind: 'file'
  /** Absolute folder that the file must lie in. */
  readonly root: string
  /** Path below `root`. */
  readonly path: string
}

/** A stream of server-sent events, kept open until the visitor leaves. */
export interface EventsBody {
  readonly kind: 'events'
  /** Called once when the stream opens with a function that sends one event; gives the function to call at its end. */
  readonly open: (send: (event: string, data: string) => void) => () => void
}

/** A file that was sent, in a temporary place that is gone when the answer is sent. Whoever keeps it copies it. */
export interface SentFile {
  readonly kind: 'sent-file'
  /** Its name without folders and control characters; may be anything else. */
  readonly fileName: string
  /** As the sender claims. */
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** Absolute path. */
  readonly path: string
}

// JSON can spell a file of any path; only what the listener made is one.
const sentFiles = new WeakSet<object>()

/** Makes the record of a file that was sent. For whoever received it. */
export function sentFile(fields: Omit<SentFile, 'kind'>): SentFile {
  const file: SentFile = Object.freeze({ kind: 'sent-file', ...fields })
  sentFiles.add(file)
  return file
}

/** Whether a parameter is a file that was really sent. */
export function isSentFile(value: unknown): value is SentFile {
  return typeof value === 'object' && value !== null && sentFiles.has(value)
}

export interface Part {
  readonly name: string
  readonly value: string | SentFile
}

export interface Reply {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | FileBody | EventsBody | null
  /** Values of `set-cookie`, one a cookie. */
  readonly cookies?: readonly string[]
  /** Template that answered, for the request log. */
  readonly file?: string
}

export type Handler = (request: Request) => Promise<Reply>

export function isFile(body: Reply['body']): body is FileBody {
  return body !== null && typeof body === 'object' && 'kind' in body && body.kind === 'file'
}

export function isEvents(body: Reply['body']): body is EventsBody {
  return body !== null && typeof body === 'object' && 'kind' in body && body.kind === 'events'
}

/** The first value of a header, `''` without one. */
export function headerOf(request: Pick<Request, 'headers'>, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

/** The path of a URL as sent, without its query. */
export function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

/** The query of a URL as sent, without the question mark. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/**
 * The address that a site names as a target. A path without a slash is one from the root, wherever the visitor stands: sites
 * write `admin/orders` as they write slugs.
 */
export function fromRoot(target: string): string {
  return /^(?:[a-z][a-z\d+.-]*:|[/?#.\\]|$)/i.test(target) ? target : `/${target}`
}

/** An answer that sends the visitor on. Characters that cannot stand in a header are percent-encoded. */
export function redirect(status: number, target: string): Reply {
  const location = headerSafe(fromRoot(target))
  return { status, headers: { location, 'content-type': 'text/html; charset=utf-8' }, body: '' }
}

// Printable ASCII stays as written, so that escapes which the author made are not made twice.
function headerSafe(target: string): string {
  // The detour over bytes replaces lone surrogates, which `encodeURIComponent` refuses.
  return target.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(Buffer.from(part).toString()))
}
