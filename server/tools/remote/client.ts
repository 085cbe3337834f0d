/** Calls the management API of another server. Errors become one sentence with what to do. */
import type * as z from 'zod'
import { errorCodeOf } from '../../core/error-code.ts'
import type { RemoteServer } from './target.ts'

/** A call that failed. The message is for the user; the command ends with code 1. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure'
  constructor(
    message: string,
    /** Status of the response; null when there was none. */
    readonly status: number | null,
    cause?: unknown,
  ) {
    super(message, { cause })
  }

  /** Whether the same call may succeed later. */
  get isTemporary(): boolean {
    return this.status === null || this.status === 429 || this.status >= 500
  }
}

interface RemoteCall<T> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path on the server, such as `/api/app_builder/logs?last_id=0`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds in which a response must come; two minutes by default. */
  readonly patience?: number
  /** A form is sent as multipart, a blob unchanged, and anything else as JSON. */
  readonly body?: FormData | Blob | Readonly<Record<string, unknown>>
  /** Schema of the response. */
  readonly answer: z.ZodType<T>
  readonly signal?: AbortSignal
}

export interface RemoteClient {
  readonly server: RemoteServer
  /**
   * Sends a request and parses the response.
   * @throws RemoteFailure, or the signal's reason
   */
  call<T>(call: RemoteCall<T>): Promise<T>
}

/** Base path of the management API. */
export const API = '/api/app_builder'

/** Milliseconds in which a response must come. */
const DEFAULT_TIMEOUT = 120_000
/** Maximum length of an unexpected response in a message. */
const MAX_SHOWN_LENGTH = 300

/** Creates a client. @param version version of Ingot, for the user agent */
export function createClient(server: RemoteServer, version: string): RemoteClient {
  return {
    server,
    async call(call) {
      const { method, path, answer } = call
      const response = await send(server, version, call)
      const text = await response.text().catch((error: unknown) => {
        throw unreachable(server, error)
      })
      if (!response.ok) throw refusal(server, path, response.status, text)
      const read = answer.safeParse(text === '' ? {} : parseJson(text))
      if (read.success) return read.data
      throw new RemoteFailure(
        `${server.url} gave an unexpected response to ${method} ${path}: check that it is a server that takes deploys. The response begins with: ${text.slice(0, MAX_SHOWN_LENGTH)}`,
        response.status,
      )
    },
  }
}

async function send(
  server: RemoteServer,
  version: string,
  { method, path, headers = {}, patience = DEFAULT_TIMEOUT, body, signal }: Omit<RemoteCall<unknown>, 'answer'>,
): Promise<Response> {
  const isRaw = body instanceof FormData || body instanceof Blob
  const timeout = AbortSignal.timeout(patience)
  try {
    return await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Token ${server.token}`,
        accept: '*/*',
        'user-agent': `ingot/${version}`,
        ...(server.email !== null && { from: server.email }),
        ...headers,
        ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      // A redirect could send the token to another server.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw unreachable(server, error)
  }
}

function unreachable({ url }: RemoteServer, error: unknown): RemoteFailure {
  return new RemoteFailure(`${url} cannot be reached (${reasonOf(error)}).`, null, error)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved',
  ETIMEDOUT: 'it did not respond',
  UND_ERR_CONNECT_TIMEOUT: 'it did not respond',
  UND_ERR_HEADERS_TIMEOUT: 'it did not respond',
}

/** Returns the innermost reason of a failed fetch. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not respond'
  const code = errorCodeOf(error)
  if (code !== null) return REASONS[code] ?? code
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}

function refusal({ url }: RemoteServer, path: string, status: number, text: string): RemoteFailure {
  const message = errorMessage(parseJson(text))
  const because = message === null ? '' : `: ${message}`
  switch (status) {
    case 401:
      return new RemoteFailure(`${url} does not accept the token${because}.`, status)
    case 403:
      return new RemoteFailure(`${url} does not permit this token to do that${because}.`, status)
    case 404:
      return new RemoteFailure(
        message ?? `${url} has no ${path}: check that it is a server that takes deploys (\`ingot serve --instance\`).`,
        status,
      )
    case 413:
      return new RemoteFailure(`${url} does not accept a request of this size${because}.`, status)
    case 422:
      return new RemoteFailure(message ?? `${url} refused the request without a reason.`, status)
    default:
      return new RemoteFailure(
        `${url} answered with status ${status}${because || `: ${text.slice(0, MAX_SHOWN_LENGTH)}`}`,
        status,
      )
  }
}

/** Returns the error message in a response: `error`, or all of `errors`, with the file. Null when there is none. */
function errorMessage(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null
  const { error, errors, details }: { error?: unknown; errors?: unknown; details?: unknown } = answer
  const list = Array.isArray(errors) ? errors.map(messageOf) : []
  const message = typeof error === 'string' && error !== '' ? error : list.join('\n')
  if (message === '') return null
  const file = typeof details === 'object' && details !== null && 'file_path' in details ? details.file_path : null
  return typeof file === 'string' && !message.includes(file) ? `${message}\n${file}` : message
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : null
  return typeof message === 'string' ? message : JSON.stringify(error)
}

/** Parses JSON; returns other text unchanged. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
