/** What the queue's engine says of itself: only its troubles are heard. What becomes of jobs is told by ourselves. */
import { Logger } from 'graphile-worker'

/** @param trouble gets warnings and errors that are not about a single job */
export function quietLogger(trouble: (message: string) => void): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level !== 'error' && level !== 'warning') return
    if (meta !== undefined && 'failure' in meta) return
    trouble(message)
  })
}
