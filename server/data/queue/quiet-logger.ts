/** The logger of the queue's engine. Only problems are logged, because the outcome of jobs is logged elsewhere. */
import { Logger } from 'graphile-worker'

/**
 * Creates the logger.
 * @param onProblem receives warnings and errors that are not about a single job
 */
export function quietLogger(onProblem: (message: string) => void): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level !== 'error' && level !== 'warning') return
    if (meta !== undefined && 'failure' in meta) return
    onProblem(message)
  })
}
