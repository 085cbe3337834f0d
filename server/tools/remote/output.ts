/** The output of commands that call another server, and the signal that stops them. */
import { type StatusLine, statusLine } from '../../../runtime/data/status-line.ts'

export interface RemoteOutput {
  /** Receives the result. */
  readonly out: (text: string) => void
  /** Receives messages for the user. */
  readonly print: (text: string) => void
  /** Shows the current step; null when the output is not a terminal. */
  readonly status?: StatusLine | null
  readonly signal: AbortSignal
}

/** Creates the output of a command in a terminal. SIGINT and SIGTERM abort its signal. */
export function createTerminalOutput(): RemoteOutput {
  const abort = new AbortController()
  const status = statusLine(process.stderr, process.env)
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort())
  // An error means that the reader has closed the pipe.
  process.stdout.on('error', () => abort.abort())
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
    signal: abort.signal,
  }
}
