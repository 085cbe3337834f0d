/**
 * Keeps a number of worker processes alive: replaces one that dies or falls silent, and renews all of them one by one.
 * Workers that answer share the listening socket and take connections themselves, so one that is kept busy by a page gets none;
 * one that has taken too many gives some back (`load.ts`).
 */
import cluster, { type Worker } from 'node:cluster'
import { StartError } from '../start-error.ts'
import { IDLE, type Load, surplus } from './load.ts'
import { isToSupervisor, type ToSupervisor, type ToWorker } from './messages.ts'

export interface SupervisorLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** One kind of worker. */
export interface WorkerGroup {
  /** File that a worker runs. */
  readonly exec: string
  readonly count: number
  /** Messages for a worker that has just begun. Whoever supervises hears of a rejection elsewhere, and ends the workers. */
  readonly begin: () => readonly ToWorker[] | Promise<readonly ToWorker[]>
  /** Milliseconds that a worker whose place was taken gets for what it has: longer than `grace` where its work is long. */
  readonly farewell: number
}

export interface SupervisorOptions {
  /** The first one serves: the others begin when it does, and without it nothing is served. */
  readonly crews: readonly [WorkerGroup, ...WorkerGroup[]]
  readonly log: SupervisorLog
  /** Milliseconds that open work gets when everything stops. */
  readonly grace: number
  /** Milliseconds without a sign of life after which a worker is replaced. */
  readonly silence: number
}

/** The first worker that is ready. */
export interface ReadyWorker {
  /** Null where it listens on none. */
  readonly port: number | null
  /** What whoever starts the site should know of it, null for nothing. */
  readonly news: string | null
}

export interface Supervisor {
  /** Resolves when the first worker serves. Rejects with StartError when the first ones cannot. */
  readonly ready: Promise<ReadyWorker>
  /** Process ids of the workers that serve. */
  pids(): number[]
  send(message: ToWorker): void
  /** Puts a new worker in the place of each, one by one; no connection is lost. False when a new one could not start. */
  reload(): Promise<boolean>
  /** Stops all workers gracefully. */
  stop(): Promise<void>
  /** Ends all workers at once. */
  kill(): void
}

interface WorkerState {
  readonly crew: WorkerGroup
  readonly worker: Worker
  readonly born: number
  heard: number
  /** Listens to messages. */
  listens: boolean
  ready: boolean
  /** Meant to end: its exit asks for no replacement. */
  leaving: boolean
  /** On trial for the place of another, which stays where this one cannot start. */
  trial: boolean
  failure: string | null
  /** As it was told last. */
  load: Load
  /** When it was last told to give connections away. */
  relieved: number
}

/**
 * Milliseconds that a silent worker is left at the least, so that the new one takes its place: with the last one that listens the
 * socket goes, and all who wait there.
 */
const HANDOVER = 15_000
const START_LIMIT = 60_000
const CHECK_EVERY = 1_000
/** A worker that lived this long did not fail at its start. */
const SETTLED = 10_000
/** Milliseconds until a worker that gave connections away may be asked again: the next reports must know of it. */
const RELIEF = 250
/** Milliseconds in which a leaving worker's idle connections may still bring a request. */
const LINGER = 1_000
/** The same when everything stops: long enough for what was already on its way. */
const PARTING = 50

/** Starts the workers. */
export function supervise(options: SupervisorOptions): Supervisor {
  return new WorkerSupervisor(options)
}

class WorkerSupervisor implements Supervisor {
  readonly ready: Promise<ReadyWorker>
  readonly #options: SupervisorOptions
  readonly #first: WorkerGroup
  readonly #others: readonly WorkerGroup[]
  readonly #seats = new Set<WorkerState>()
  readonly #waiting = new Map<WorkerState, (ready: boolean) => void>()
  /** In a row, soon after the start. */
  readonly #failures = new Map<WorkerGroup, number>()
  readonly #timer: NodeJS.Timeout
  #settle: { resolve: (ready: ReadyWorker) => void; reject: (error: StartError) => void } | null = null
  #stopping = false
  #served = false
  #checked: number

  constructor(options: SupervisorOptions) {
    const [first, ...others] = options.crews
    this.#options = options
    this.#first = first
    this.#others = others
    this.ready = new Promise<ReadyWorker>((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    cluster.schedulingPolicy = cluster.SCHED_NONE
    for (let i = 0; i < first.count; i++) this.#seat(first)
    this.#checked = performance.now()
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY)
  }

  pids(): number[] {
    const serving = [...this.#seats].filter((one) => one.ready && !one.leaving)
    return serving.map((one) => one.worker.process.pid ?? 0)
  }

  send(message: ToWorker): void {
    for (const one of this.#seats) if (one.worker.isConnected()) one.worker.send(message)
  }

  async reload(): Promise<boolean> {
    for (const old of [...this.#seats]) {
      if (old.leaving || this.#stopping || (await this.#renew(old))) continue
      this.#options.log.error({}, 'The new site could not be served; the old one stays.')
      return false
    }
    return true
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#timer)
    await Promise.all([...this.#seats].map((one) => this.#retire(one, PARTING, this.#options.grace)))
  }

  kill(): void {
    this.#stopping = true
    clearInterval(this.#timer)
    this.#endAll()
  }

  #seat(crew: WorkerGroup): WorkerState {
    const now = performance.now()
    // `setupPrimary` sets a value of the whole process that the next `fork` reads.
    cluster.setupPrimary({ exec: crew.exec, args: [] })
    const state = { heard: now, listens: false, ready: false, leaving: false, trial: false, failure: null }
    const rest = { load: IDLE, relieved: 0 }
    const taken: WorkerState = { crew, worker: cluster.fork(), born: now, ...state, ...rest }
    this.#seats.add(taken)
    taken.worker.on('message', (message: unknown) => {
      if (isToSupervisor(message)) this.#hear(taken, message)
    })
    taken.worker.on('error', (error) =>
      this.#options.log.error({ pid: taken.worker.process.pid }, `worker: ${error.message}`),
    )
    taken.worker.once('exit', (code, signal) => this.#left(taken, code, signal))
    return taken
  }

  #hear(from: WorkerState, message: ToSupervisor): void {
    from.heard = performance.now()
    if (message.type === 'hello') {
      from.listens = true
      void this.#introduce(from)
    }
    if (message.type === 'load') {
      from.load = message
      this.#relieve(from)
    }
    if (message.type === 'failed') from.failure = message.sentence
    if (message.type !== 'ready') return
    from.ready = true
    this.#waiting.get(from)?.(true)
    this.#waiting.delete(from)
    if (from.crew !== this.#first || this.#served) return
    this.#served = true
    this.#settle?.resolve({ port: message.port, news: message.news })
    if (!this.#stopping) for (const crew of this.#others) for (let i = 0; i < crew.count; i++) this.#seat(crew)
  }

  #relieve(one: WorkerState): void {
    const now = performance.now()
    if (now - one.relieved < RELIEF) return
    const others = [...this.#seats].filter(({ crew, ready, leaving }) => crew === one.crew && ready && !leaving)
    const count = surplus(
      one.load,
      others.flatMap((other) => (other === one ? [] : [other.load])),
    )
    if (count === 0 || !one.worker.isConnected()) return
    one.relieved = now
    one.worker.send({ type: 'part', count } satisfies ToWorker)
  }

  async #introduce(to: WorkerState): Promise<void> {
    // It fails where the server itself cannot start, which whoever started it tells: the process then has nothing to begin.
    const messages = await Promise.resolve(to.crew.begin()).catch(() => [])
    if (to.worker.isConnected()) for (const message of messages) to.worker.send(message)
  }

  #left(from: WorkerState, code: number | null, signal: string | null): void {
    this.#seats.delete(from)
    this.#waiting.get(from)?.(false)
    this.#waiting.delete(from)
    if (from.leaving || this.#stopping) return
    const why = from.failure ?? `worker ${from.worker.process.pid} ended (${signal ?? `code ${code}`})`
    if (!this.#served) {
      this.#settle?.reject(
        new StartError(from.failure ?? 'The server process ended before it could serve; its messages stand above.'),
      )
      this.#stopping = true
      clearInterval(this.#timer)
      this.#endAll()
      return
    }
    this.#options.log.error({}, why)
    if (!from.trial) this.#replaceLater(from.crew, performance.now() - from.born > SETTLED)
  }

  // Without a delay, a worker that dies at its start would be started again as fast as the machine can.
  #replaceLater(crew: WorkerGroup, settled: boolean): void {
    const count = settled ? 0 : (this.#failures.get(crew) ?? 0) + 1
    this.#failures.set(crew, count)
    const delay = settled ? 0 : Math.min(30_000, 250 * 2 ** count)
    setTimeout(() => {
      if (!this.#stopping) this.#seat(crew)
    }, delay)
  }

  #check(): void {
    const now = performance.now()
    // After the machine slept, all workers have been silent for too long, and none of them hangs.
    const slept = now - this.#checked > CHECK_EVERY * 3
    this.#checked = now
    for (const one of [...this.#seats]) {
      if (slept) one.heard = now
      if (one.leaving || now - one.heard <= (one.ready ? this.#options.silence : START_LIMIT)) continue
      this.#options.log.warn(
        { pid: one.worker.process.pid },
        `worker ${one.worker.process.pid} is silent and is replaced`,
      )
      one.leaving = true
      // The new one first: while somebody listens, new visitors wait for it instead of being refused.
      const next = this.#seat(one.crew)
      const late = setTimeout(() => one.worker.process.kill('SIGKILL'), Math.max(this.#options.silence, HANDOVER))
      this.#waiting.set(next, () => {
        clearTimeout(late)
        if (performance.now() - one.heard < CHECK_EVERY * 2) void this.#retire(one, LINGER, one.crew.farewell)
        else one.worker.process.kill('SIGKILL')
      })
    }
  }

  /** Lets a worker finish what it has; resolves when it has ended. Asked again, it hurries where the time is shorter. */
  #retire(one: WorkerState, linger: number, time: number): Promise<void> {
    one.leaving = true
    return new Promise((done) => {
      if (one.worker.isDead()) {
        done()
        return
      }
      const late = setTimeout(() => one.worker.process.kill('SIGKILL'), time + linger + 1_000)
      one.worker.once('exit', () => {
        clearTimeout(late)
        done()
      })
      const stop: ToWorker = { type: 'stop', grace: time + linger, linger }
      // One that does not listen yet has nothing to finish.
      if (!one.listens) one.worker.process.kill('SIGKILL')
      else if (one.worker.isConnected()) one.worker.send(stop)
      else one.worker.process.kill('SIGTERM')
    })
  }

  #endAll(): void {
    for (const one of this.#seats) one.worker.process.kill('SIGKILL')
  }

  async #renew(old: WorkerState): Promise<boolean> {
    const next = this.#seat(old.crew)
    next.trial = true
    const fine = await new Promise<boolean>((done) => this.#waiting.set(next, done))
    if (!fine) return false
    next.trial = false
    const gone = this.#retire(old, LINGER, old.crew.farewell)
    // Jobs may run for hours, and a reload does not wait for them.
    if (old.crew.farewell <= this.#options.grace) await gone
    return true
  }
}
