/** Creates responses for the platform's command-line client: JSON, with a sentence in `error` for errors. */
import { contentType } from '../../web/http/formats.ts'
import type { Reply } from '../../web/http/message.ts'

/** Thrown to refuse a request. The client prints the message. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** All messages, when there are several. */
  readonly errors: readonly string[] | null
  /** The file that the refusal is about. */
  readonly file: string | null

  constructor(status: number, reason: string | readonly string[], file: string | null = null) {
    super(typeof reason === 'string' ? reason : reason.join('\n'))
    this.status = status
    this.errors = typeof reason === 'string' ? null : reason
    this.file = file
  }
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'content-type': contentType('json'), 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  }
}

export function refused({ status, message, errors, file }: Refusal): Reply {
  const details = file === null ? {} : { details: { file_path: file } }
  return json(status, { ...(errors === null ? { error: message } : { errors }), ...details })
}
