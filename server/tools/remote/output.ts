/** Where the commands that work with another server write, and the signal that ends them. */
import { type StatusLine, statusLine } from '../../../runtime/data/status-line.ts'

export interface RemoteOutput {
  /** Receives the result. */
  readonly out: (text: string) => void
  /** Receives messages for the user. */
  readonly print: (text: string) => void
  /** Tells what is waited for; null where nobody looks. */
  readonly status?: StatusLine | null
  readonly signal: AbortSignal
}

/** The output of a command in a terminal; SIGINT and SIGTERM end it. */
export function terminal(): RemoteOutput {
  const over = new AbortController()
  const status = statusLine(process.stderr, process.env)
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => over.abort())
  // The reader has closed the pipe.
  process.stdout.on('error', () => over.abort())
  return {
    out(text) {
      status?.clear()
      process.stdout.write(text)
    },
    print(text) {
      status?.clear()
      process.stderr.write(text)
    },
    status,
    signal: over.signal,
  }
}
