/** What a supervisor is given, and what it does for its callers. */
import type { BuiltSite } from '../../web/site/load.ts'
import type { ToSupervisor, ToWorker } from './messages.ts'
import type { SocketOptions } from './sockets.ts'

export interface SupervisorLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A worker as those see it who watch it. */
export interface WatchedProcess {
  /** `web-1`: its kind and the first number that is free. */
  readonly name: string
  readonly kind: string
  /** Whether it was received; a process that is ending receives nothing. */
  send(message: ToWorker): boolean
}

/** Hears what workers tell beside what the supervisor needs. */
export interface ProcessObserver {
  received(from: WatchedProcess, message: ToSupervisor): void
  /** @param expected whether it was stopped */
  ended(process: WatchedProcess, expected: boolean): void
}

/** One kind of worker. */
export interface WorkerGroup {
  /** What its processes are called. */
  readonly name: string
  /** Path of the file that a worker runs. */
  readonly exec: string
  readonly count: number
  /** Flags of Node beside our own. */
  readonly flags?: readonly string[]
  /**
   * Messages for a worker that has just started. A rejection is ignored here, because the caller sees the same failure
   * and ends the workers.
   * @param replaces whether it takes the place of a worker that serves
   */
  readonly begin: (replaces: boolean) => readonly ToWorker[] | Promise<readonly ToWorker[]>
  /** Milliseconds that a replaced worker gets to finish its work; longer than `grace` where the work takes long. */
  readonly stopTime: number
  /** Whether its processes stay when another build is served, which they have nothing to do with. */
  readonly stays?: boolean
}

export interface SupervisorOptions {
  /** The first group serves requests. Once it does, the other groups start, and those of its workers that had no processor of their own. */
  readonly groups: readonly [WorkerGroup, ...WorkerGroup[]]
  /** Where the workers of the first group listen; absent where they do not. */
  readonly listen?: Pick<SocketOptions, 'host' | 'port' | 'waiting'>
  readonly log: SupervisorLog
  /** Milliseconds that running work gets when everything stops. */
  readonly grace: number
  /** Milliseconds without a heartbeat after which a worker is replaced. */
  readonly silence: number
  /** Milliseconds in which everything goes on before it stops, so that load balancers learn of it; 0 by default. */
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
  /** The workers that are ready. */
  processes(): readonly WatchedProcess[]
  /** Process ids of the workers that are serving. */
  pids(): number[]
  send(message: ToWorker): void
  /**
   * Replaces each worker by a new one, one after another; no connection is lost. The first new one is asked whether it is
   * ready before the others are replaced. Resolves to null, or to why the rest of the old ones stays.
   */
  reload(): Promise<ReloadFailure | null>
  /**
   * Has all workers serve another build in the place of the one before, which ends no request and no connection. Resolves to
   * null, or to why one of them cannot; the others then serve it.
   */
  switchTo(built: BuiltSite): Promise<string | null>
  /**
   * Stops all workers gracefully.
   * @param patient whether idle connections stay open for as long as their clients may still use them
   */
  stop(patient: boolean): Promise<void>
  /** Kills all workers at once. */
  kill(): void
}

/** A reload that was broken off. */
export interface ReloadFailure {
  readonly reason: string
  /** Number of workers that were replaced. */
  readonly replaced: number
}
