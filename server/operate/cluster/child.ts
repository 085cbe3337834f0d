/** The life of a process that the supervisor started: its messages, its heartbeat and its end. */
import type { SendHandle } from 'node:child_process'
import { Socket } from 'node:net'
import { StartError } from '../../core/start-error.ts'
import { isToWorker, type ToSupervisor, type ToWorker } from './messages.ts'

/** Messages that a child handles itself; the others are handled here. */
export type ChildMessage = Exclude<ToWorker, { type: 'stop' | 'socket' | 'visitor' }>

export interface Child {
  /** Called with each message. An error during `start` ends the process with that message. */
  handle(message: ChildMessage): Promise<void>
  /** Takes a connection that the supervisor has accepted; absent in processes that do not answer requests. */
  visit?(connection: Socket): void
  /**
   * Ends the process. When it is called again, the shorter grace period counts.
   * @param patient see `ToWorker`
   * @param code exit code
   */
  stop(grace: number, patient: boolean, code: number): Promise<void>
}

export interface ChildLog {
  error(fields: object, message: string): void
  fatal(fields: object, message: string): void
}

/**
 * Milliseconds that running work gets to finish: after a signal without a supervisor, when the supervisor is gone, and
 * after an uncaught error.
 */
const STOP_TIME = 10_000
const ORPHANED = 2_000
const BROKEN = 5_000

/** Starts listening to the supervisor. */
export function followSupervisor(child: Child): void {
  const stop = (grace: number, patient: boolean): void => void child.stop(grace, patient, 0)
  process.on('message', (message: unknown, sent: SendHandle) => {
    if (!isToWorker(message)) return
    if (message.type === 'stop') stop(message.grace, message.patient)
    else if (message.type === 'socket') lent.add(message, sent)
    else if (message.type === 'visitor') {
      // Undefined when the client has left on the way.
      if (sent instanceof Socket) child.visit?.(sent)
    } else if (message.type === 'start') child.handle(message).catch(fail)
    else void child.handle(message)
  })
  // The terminal sends Ctrl-C to every process of the group; the supervisor decides what happens.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => stop(STOP_TIME, true))
  process.on('disconnect', () => stop(ORPHANED, false))
  setInterval(() => sendToSupervisor({ type: 'beat' }), 1_000).unref()
  sendToSupervisor({ type: 'hello' })
}

/**
 * Sends a message to the supervisor.
 * @param taken called when the system has taken it, or cannot take it any more
 */
export function sendToSupervisor(message: ToSupervisor, taken: () => void = () => undefined): void {
  if (process.connected && process.send !== undefined) process.send(message, undefined, {}, taken)
  else taken()
}

/** The listening sockets that the supervisor lends to this process. */
const lent = {
  sockets: [] as SendHandle[],
  done: (_sockets: readonly SendHandle[]): void => undefined,
  add({ at, count }: Extract<ToWorker, { type: 'socket' }>, sent: SendHandle): void {
    lent.sockets[at] = sent
    // The supervisor keeps this copy when its own handle is used up (see `sockets.ts`).
    process.send?.({ type: 'socket', at } satisfies ToSupervisor, sent)
    if (at === count - 1) lent.done(lent.sockets)
  },
}

/**
 * Asks the supervisor for the listening sockets. Connections are waiting by then, so the process should listen at once.
 * A supervisor that stops does not answer.
 */
export function borrowSockets(): Promise<readonly SendHandle[]> {
  return new Promise((done) => {
    lent.done = done
    sendToSupervisor({ type: 'prepared' })
  })
}

/**
 * Handles uncaught errors: they may have left other work half done, so it gets time to finish before the process ends.
 */
export function handleUncaughtErrors(logger: ChildLog, child: Child): void {
  process.on('unhandledRejection', (reason) => logger.error({ stack: stackOf(reason) }, 'a promise failed unseen'))
  process.on('uncaughtException', (error) => {
    logger.fatal({ stack: stackOf(error) }, error.message)
    void child.stop(BROKEN, false, 1)
  })
}

function fail(error: unknown): void {
  const sentence = error instanceof StartError ? error.message : `The server failed to start: ${stackOf(error)}`
  // The process must not end before the supervisor has received the message.
  if (process.send === undefined) process.exit(2)
  process.send({ type: 'failed', sentence } satisfies ToSupervisor, undefined, {}, () => process.exit(2))
}

/** The stack of an error, for logs. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
