/** Where the commands that work with another server write, and the signal that ends them. */

export interface RemoteOutput {
  /** Receives the result. */
  readonly out: (text: string) => void
  /** Receives messages for the user. */
  readonly print: (text: string) => void
  readonly signal: AbortSignal
}

/** The output of a command in a terminal; SIGINT and SIGTERM end it. */
export function terminal(): RemoteOutput {
  const over = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => over.abort())
  // The reader has closed the pipe.
  process.stdout.on('error', () => over.abort())
  return {
    out: (text) => void process.stdout.write(text),
    print: (text) => void process.stderr.write(text),
    signal: over.signal,
  }
}
