/** Connects a child process to its supervisor: messages, heartbeat and exit. */
import type { SendHandle } from 'node:child_process'
import { Socket } from 'node:net'
import { StartError } from '../../core/start-error.ts'
import { isToWorker, type ToSupervisor, type ToWorker } from './messages.ts'

/** The messages that `Child.handle` gets. This file handles the others. */
export type ChildMessage = Exclude<ToWorker, { type: 'stop' | 'socket' | 'visitor' }>

export interface Child {
  /** Handles a message. An error during `start` ends the process, and the supervisor gets its message. */
  handle(message: ChildMessage): Promise<void>
  /** Accepts a connection from the supervisor; absent in processes that do not answer requests. */
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

/** Milliseconds that running work gets after a signal without a supervisor. */
const STOP_TIME = 10_000
/** Milliseconds that running work gets when the supervisor is gone. */
const ORPHAN_STOP_TIME = 2_000
/** Milliseconds that running work gets after an uncaught error. */
const FAILURE_STOP_TIME = 5_000

/** Starts listening to the supervisor. */
export function followSupervisor(child: Child): void {
  const stop = (grace: number, patient: boolean): void => void child.stop(grace, patient, 0)
  process.on('message', (message: unknown, handle: SendHandle) => {
    if (!isToWorker(message)) return
    if (message.type === 'stop') stop(message.grace, message.patient)
    else if (message.type === 'socket') lent.add(message, handle)
    else if (message.type === 'visitor') {
      // Undefined when the client has already disconnected.
      if (handle instanceof Socket) child.visit?.(handle)
    } else if (message.type === 'start') child.handle(message).catch(reportStartFailure)
    else void child.handle(message)
  })
  // A terminal sends Ctrl-C to every process of the group. The supervisor decides what to do.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => stop(STOP_TIME, true))
  process.on('disconnect', () => stop(ORPHAN_STOP_TIME, false))
  setInterval(() => sendToSupervisor({ type: 'beat' }), 1_000).unref()
  sendToSupervisor({ type: 'hello' })
}

/**
 * Sends a message to the supervisor.
 * @param onSent called when the message is sent, or cannot be sent any more
 */
export function sendToSupervisor(message: ToSupervisor, onSent: () => void = () => undefined): void {
  if (process.connected && process.send !== undefined) process.send(message, undefined, {}, onSent)
  else onSent()
}

interface LentSockets {
  readonly sockets: SendHandle[]
  done: (sockets: readonly SendHandle[]) => void
  add(message: Extract<ToWorker, { type: 'socket' }>, handle: SendHandle): void
}

/** The listening sockets that the supervisor lends to this process. */
const lent: LentSockets = {
  sockets: [],
  done: () => undefined,
  add({ at, count }, handle) {
    lent.sockets[at] = handle
    // The supervisor uses this copy after it has closed its own handle (see `sockets.ts`).
    process.send?.({ type: 'socket', at } satisfies ToSupervisor, handle)
    if (at === count - 1) lent.done(lent.sockets)
  },
}

/**
 * Asks the supervisor for the listening sockets. Connections may already be waiting, so the process should listen at once. A
 * supervisor that is stopping does not answer.
 */
export function borrowSockets(): Promise<readonly SendHandle[]> {
  return new Promise((done) => {
    lent.done = done
    sendToSupervisor({ type: 'prepared' })
  })
}

/**
 * Handles uncaught errors. They may leave other work half done, so running work gets time to finish before the process exits.
 */
export function handleUncaughtErrors(logger: ChildLog, child: Child): void {
  process.on('unhandledRejection', (reason) => logger.error({ stack: stackOf(reason) }, 'unhandled promise rejection'))
  process.on('uncaughtException', (error) => {
    logger.fatal({ stack: stackOf(error) }, error.message)
    void child.stop(FAILURE_STOP_TIME, false, 1)
  })
}

/** Reports a failed start to the supervisor, and exits. */
function reportStartFailure(error: unknown): void {
  const sentence = error instanceof StartError ? error.message : `The server failed to start: ${stackOf(error)}`
  // The process must not exit before the supervisor has received the message.
  if (process.send === undefined) process.exit(2)
  process.send({ type: 'failed', sentence } satisfies ToSupervisor, undefined, {}, () => process.exit(2))
}

/** Returns the stack of an error, for logs. */
function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
