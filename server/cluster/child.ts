/** The life of a process that a supervisor has started: its messages, its signs of life, its end. */
import { StartError } from '../start-error.ts'
import { isToWorker, type ToSupervisor, type ToWorker } from './messages.ts'

export interface Child {
  /** Called with each message but `stop`. Where it throws at `start`, the process ends with a sentence. */
  obey(message: Exclude<ToWorker, { type: 'stop' }>): Promise<void>
  /** Ends the process. Called again, the shorter time counts. @param code exit code */
  stop(grace: number, linger: number, code: number): Promise<void>
}

export interface ChildLog {
  error(fields: object, message: string): void
  fatal(fields: object, message: string): void
}

/** Milliseconds to finish when a signal comes without a supervisor, when the supervisor is gone, and after an error of nobody's. */
const ALONE = 10_000
const ORPHANED = 2_000
const BROKEN = 5_000

/** Begins to listen to the supervisor. */
export function live(child: Child): void {
  const stop = (grace: number, linger = 0): void => void child.stop(grace, linger, 0)
  process.on('message', (message: unknown) => {
    if (!isToWorker(message)) return
    if (message.type === 'stop') stop(message.grace, message.linger)
    else if (message.type === 'start') child.obey(message).catch(fail)
    else void child.obey(message)
  })
  // The terminal sends Ctrl-C to every process; the supervisor decides what follows from it.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => stop(ALONE))
  process.on('disconnect', () => stop(ORPHANED))
  setInterval(() => tell({ type: 'beat' }), 1_000).unref()
  tell({ type: 'hello' })
}

/** Tells the supervisor. */
export function tell(message: ToSupervisor): void {
  if (process.connected) process.send?.(message)
}

/** An error outside of any request or job: others may be half done, so they finish before the process ends. */
export function guard(logger: ChildLog, child: Child): void {
  process.on('unhandledRejection', (reason) => logger.error({ stack: stackOf(reason) }, 'a promise failed unseen'))
  process.on('uncaughtException', (error) => {
    logger.fatal({ stack: stackOf(error) }, error.message)
    void child.stop(BROKEN, 0, 1)
  })
}

function fail(error: unknown): void {
  const sentence = error instanceof StartError ? error.message : `The server failed to start: ${stackOf(error)}`
  // The process must not end before the supervisor has the sentence.
  if (process.send === undefined) process.exit(2)
  process.send({ type: 'failed', sentence } satisfies ToSupervisor, undefined, {}, () => process.exit(2))
}

/** For logs. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
