/** The logger of the queue's engine. Only problems are logged, because the outcome of jobs is logged elsewhere. */
import { Logger } from 'graphile-worker'

/** @param trouble receives warnings and errors that are not about a single job */
export function quietLogger(trouble: (message: string) => void): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level !== 'error' && level !== 'warning') return
    if (meta !== undefined && 'failure' in meta) return
    trouble(message)
  })
}
