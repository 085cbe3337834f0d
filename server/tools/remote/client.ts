/** Calls to the management API of another server. What fails is told in one sentence, with what to do about it. */
import type * as z from 'zod'
import { codeOf } from '../../core/error-code.ts'
import type { RemoteServer } from './target.ts'

/** A call that was refused, or did not reach the server. The message is for people; the command ends with code 1. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure'
  constructor(
    message: string,
    /** Status of the answer; null where there was none. */
    readonly status: number | null,
    cause?: unknown,
  ) {
    super(message, { cause })
  }

  /** Whether the same call may succeed a moment later. */
  get passes(): boolean {
    return this.status === null || this.status === 429 || this.status >= 500
  }
}

export interface RemoteCall<T> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the server's URL: `/api/app_builder/logs?last_id=0`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds in which an answer has to come; two minutes by default. */
  readonly patience?: number
  /** A form is sent as multipart, a blob as what it is, anything else as JSON. */
  readonly body?: FormData | Blob | Readonly<Record<string, unknown>>
  /** Form of the answer. */
  readonly answer: z.ZodType<T>
  readonly signal?: AbortSignal
}

export interface RemoteClient {
  readonly server: RemoteServer
  /**
   * Sends a request and reads the answer.
   * @throws RemoteFailure, or the signal's reason
   */
  call<T>(call: RemoteCall<T>): Promise<T>
}

/** Base path of the management API. */
export const API = '/api/app_builder'

/** Milliseconds in which an answer has to come. */
const PATIENCE = 120_000
/** Characters of an unknown answer that a message shows. */
const LONGEST = 300

/** @param version of this software */
export function createClient(server: RemoteServer, version: string): RemoteClient {
  return {
    server,
    async call(call) {
      const { method, path, answer } = call
      const response = await sent(server, version, call)
      const text = await response.text().catch((error: unknown) => {
        throw away(server, error)
      })
      if (!response.ok) throw refused(server, path, response.status, text)
      const read = answer.safeParse(text === '' ? {} : parsed(text))
      if (read.success) return read.data
      throw new RemoteFailure(
        `${server.url} answered ${method} ${path} with something else than was asked for: is it a server of such sites? It began with: ${text.slice(0, LONGEST)}`,
        response.status,
      )
    },
  }
}

async function sent(
  server: RemoteServer,
  version: string,
  { method, path, headers = {}, patience = PATIENCE, body, signal }: Omit<RemoteCall<unknown>, 'answer'>,
): Promise<Response> {
  const isWhole = body instanceof FormData || body instanceof Blob
  const over = AbortSignal.timeout(patience)
  try {
    return await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Token ${server.token}`,
        accept: '*/*',
        'user-agent': `ingot/${version}`,
        ...(server.email !== null && { from: server.email }),
        ...headers,
        ...(body !== undefined && !isWhole && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isWhole ? body : JSON.stringify(body) }),
      // A redirect would send the token elsewhere.
      redirect: 'manual',
      signal: signal === undefined ? over : AbortSignal.any([signal, over]),
    })
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw away(server, error)
  }
}

function away({ url }: RemoteServer, error: unknown): RemoteFailure {
  return new RemoteFailure(`${url} cannot be reached (${reasonOf(error)}).`, null, error)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up',
  ETIMEDOUT: 'it did not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer',
}

/** The innermost reason of a failed fetch. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not answer'
  const code = codeOf(error)
  if (code !== null) return REASONS[code] ?? code
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}

function refused({ url }: RemoteServer, path: string, status: number, text: string): RemoteFailure {
  const told = toldOf(parsed(text))
  const because = told === null ? '' : `: ${told}`
  switch (status) {
    case 401:
      return new RemoteFailure(`${url} does not know the token${because}.`, status)
    case 403:
      return new RemoteFailure(`${url} does not permit this with the token${because}.`, status)
    case 404:
      return new RemoteFailure(
        told ?? `${url} has nothing at ${path}: is it a server that takes deploys (\`ingot serve --instance\`)?`,
        status,
      )
    case 413:
      return new RemoteFailure(`${url} takes nothing as large as that${because}.`, status)
    case 422:
      return new RemoteFailure(told ?? `${url} refused it, and did not say why.`, status)
    default:
      return new RemoteFailure(
        `${url} answered with status ${status}${because || `: ${text.slice(0, LONGEST)}`}`,
        status,
      )
  }
}

/** What an answer says of an error: `error`, or all of `errors`, with the file that it names. */
function toldOf(answer: unknown): string | null {
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

/** The value of a JSON text; the text itself where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
