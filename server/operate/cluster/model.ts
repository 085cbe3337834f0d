/** The options and the interface of the supervisor. */
import type { BuiltSite } from '../../web/site/load.ts'
import type { ToSupervisor, ToWorker } from './messages.ts'
import type { SocketOptions } from './sockets.ts'

interface SupervisorLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A worker, as observers see it. */
export interface WatchedProcess {
  /** Name of the worker: its kind and the lowest free number, such as `web-1`. */
  readonly name: string
  readonly kind: string
  /** Sends a message. Returns whether it was sent; a process that is exiting receives nothing. */
  send(message: ToWorker): boolean
}

/** Observes the messages and exits of workers. */
export interface ProcessObserver {
  received(from: WatchedProcess, message: ToSupervisor): void
  /**
   * Called when a worker has ended.
   * @param isExpected whether the process was stopped on purpose
   */
  ended(process: WatchedProcess, isExpected: boolean): void
}

/** One kind of worker. */
export interface WorkerGroup {
  /** Name of the kind of process. */
  readonly name: string
  /** Path of the file that a worker runs. */
  readonly exec: string
  readonly count: number
  /** Node flags in addition to the common ones. */
  readonly flags?: readonly string[]
  /**
   * Returns messages for a worker that has just started. A rejection is ignored here, because the caller gets the same
   * error and ends the workers.
   * @param replaces whether the worker replaces one that serves
   */
  readonly begin: (replaces: boolean) => readonly ToWorker[] | Promise<readonly ToWorker[]>
  /** Milliseconds that a replaced worker gets to finish its work; longer than `grace` when the work takes long. */
  readonly stopTime: number
  /** Whether its processes stay when another build is served, because they do not depend on it. */
  readonly stays?: boolean
}

export interface SupervisorOptions {
  /** The first group serves requests. When its first worker is ready, the other groups start, and the rest of the first group. */
  readonly groups: readonly [WorkerGroup, ...WorkerGroup[]]
  /** The address of the first group; absent when it does not listen. */
  readonly listen?: Pick<SocketOptions, 'host' | 'port' | 'waiting'>
  readonly log: SupervisorLog
  /** Milliseconds that running work gets when everything stops. */
  readonly grace: number
  /** Milliseconds without a heartbeat after which a worker is replaced. */
  readonly silence: number
  /** Milliseconds in which everything continues before it stops, so that load balancers notice; 0 by default. */
  readonly drain?: number
  /** Null or absent when nothing is measured. */
  readonly observer?: ProcessObserver | null
}

/** The first worker that is ready to serve. */
export interface ReadyWorker {
  /** Null when it does not listen on a port. */
  readonly port: number | null
  /** A notice for the person who starts the site; null when there is none. */
  readonly news: string | null
}

export interface Supervisor {
  /** Resolves when the first worker serves. Rejects with StartError when the first workers cannot start. */
  readonly ready: Promise<ReadyWorker>
  /** Returns the workers that are ready. */
  processes(): readonly WatchedProcess[]
  /** Returns the process ids of the workers that serve. */
  pids(): number[]
  send(message: ToWorker): void
  /**
   * Replaces each worker by a new one, one after another, without losing connections. The first new worker must report that it is
   * ready before the others are replaced. Resolves to null, or to the reason why the remaining old workers stay.
   */
  reload(): Promise<ReloadFailure | null>
  /**
   * Makes all workers serve another build, without ending requests or connections. Resolves to null, or to the reason why one of
   * them cannot; the others then serve it.
   */
  switchTo(builtSite: BuiltSite): Promise<string | null>
  /**
   * Stops all workers gracefully.
   * @param patient whether idle connections stay open for as long as their clients may still use them
   */
  stop(patient: boolean): Promise<void>
  /** Kills all workers at once. */
  kill(): void
}

/** A reload that failed. */
export interface ReloadFailure {
  readonly reason: string
  /** Number of workers that were replaced. */
  readonly replaced: number
}
