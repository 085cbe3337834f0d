/**
 * Keeps worker processes alive: replaces a worker that dies or does not respond, and can replace all of them one by one. Workers that
 * serve requests share the listening socket and accept connections themselves, so a worker that is busy with a page gets no new
 * connection. A worker with too many connections gives some away (`load.ts`). The supervisor holds the socket, and accepts
 * connections only while no worker is ready (`sockets.ts`).
 */
import { type ChildProcess, fork, type SendHandle } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenError } from '../../core/listen-error.ts'
import type { BuiltSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'
import { IDLE, type Load, surplus } from './load.ts'
import { ListeningSockets } from './sockets.ts'
import type { ReadyWorker, ReloadFailure, Supervisor, SupervisorOptions, WatchedProcess, WorkerGroup } from './model.ts'
import { isToSupervisor, type ToSupervisor, type ToWorker } from './messages.ts'

interface WorkerState extends WatchedProcess {
  readonly group: WorkerGroup
  readonly worker: ChildProcess
  readonly startedAt: number
  lastHeardAt: number
  /** Whether the worker listens to messages yet. */
  listens: boolean
  isReady: boolean
  /** Whether the worker is expected to exit. It then needs no replacement. */
  leaving: boolean
  /** Whether the worker is about to replace another one, which stays if this one cannot start. */
  trial: boolean
  failure: string | null
  /** Resolves when all messages of the worker have been received. */
  readonly disconnected: Promise<void>
  /** Called when the worker's only open requests wait for its replacement. */
  onResting: () => void
  /** The last reported load. */
  load: Load
  /** Time of the last request to give connections away, as `performance.now()`. */
  lastRelievedAt: number
}

/** Minimum milliseconds that an unresponsive worker stays while its replacement starts. A worker that is only slow may still respond. */
const MIN_HANDOVER = 15_000
const START_TIMEOUT = 60_000
/** Milliseconds in which a new worker must report whether it is ready. */
const HEALTH_TIMEOUT = 30_000
const CHECK_INTERVAL = 1_000
/** Milliseconds. A worker that lived longer did not fail at its start. */
const STABLE_AFTER = 10_000
/** Milliseconds between two requests to give connections away, so that the next load reports show the effect. */
const REBALANCE_PAUSE = 250
/** Minimum milliseconds that a replaced worker gets: longer than clients use idle connections. */
const MIN_STOP_TIME = 6_000

/** Milliseconds to wait for the last messages of a worker that has exited. */
const LAST_MESSAGES_TIMEOUT = 2_000

function sendTo(worker: ChildProcess, message: ToWorker): boolean {
  if (!worker.connected) return false
  worker.send(message)
  return true
}

/** Starts the workers and supervises them. */
export function supervise(options: SupervisorOptions): Supervisor {
  return new WorkerSupervisor(options)
}

class WorkerSupervisor implements Supervisor {
  readonly ready: Promise<ReadyWorker>
  readonly #options: SupervisorOptions
  readonly #first: WorkerGroup
  readonly #others: readonly WorkerGroup[]
  readonly #workers = new Set<WorkerState>()
  /** Null when no worker listens. */
  readonly #sockets: ListeningSockets | null
  readonly #waiting = new Map<WorkerState, (isReady: boolean) => void>()
  /** Open questions to workers, by negative ids. The ids of an observer's questions on the same channel are positive. */
  readonly #questions = new Map<number, (problem: string | null) => void>()
  #asked = 0
  /** The build that the workers were last switched to, and the time. */
  #switched: { readonly builtSite: BuiltSite; readonly at: number } | null = null
  /** Failed starts in a row. */
  readonly #failures = new Map<WorkerGroup, number>()
  readonly #timer: NodeJS.Timeout
  #settle: { resolve: (readyWorker: ReadyWorker) => void; reject: (error: StartError) => void } | null = null
  /** Number of workers of the first group that start at once: one for each processor except one, because the first page needs only one. */
  readonly #initialCount: number
  #draining = false
  #stopping = false
  #served = false
  #checked: number

  constructor(options: SupervisorOptions) {
    const [first, ...others] = options.groups
    this.#options = options
    this.#first = first
    this.#others = others
    this.ready = new Promise<ReadyWorker>((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    const { listen, log } = options
    const worker = (): ChildProcess | null => this.#leastBusy()
    this.#sockets = listen === undefined ? null : new ListeningSockets({ ...listen, log, worker })
    this.#initialCount = Math.min(first.count, Math.max(1, availableParallelism() - 1))
    for (let i = 0; i < this.#initialCount; i++) this.#startWorker(first)
    this.#checked = performance.now()
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL)
  }

  processes(): readonly WatchedProcess[] {
    return [...this.#workers].filter((worker) => worker.isReady)
  }

  pids(): number[] {
    const serving = [...this.#workers].filter((worker) => worker.isReady && !worker.leaving)
    return serving.map((worker) => worker.worker.pid ?? 0)
  }

  send(message: ToWorker): void {
    for (const worker of this.#workers) worker.send(message)
  }

  async reload(): Promise<ReloadFailure | null> {
    let replaced = 0
    const exits: Promise<unknown>[] = []
    for (const oldWorker of [...this.#workers]) {
      // A worker that has died meanwhile is replaced anyway.
      if (oldWorker.leaving || oldWorker.group.stays === true || this.#stopping || !this.#workers.has(oldWorker))
        continue
      const reason = await this.#replace(oldWorker, replaced === 0, exits)
      if (reason === null) {
        replaced++
        continue
      }
      this.#options.log.error({}, 'The new site could not be served; the old one stays.')
      await Promise.all(exits)
      return { reason, replaced }
    }
    await Promise.all(exits)
    return null
  }

  async switchTo(builtSite: BuiltSite): Promise<string | null> {
    this.#switched = { builtSite, at: performance.now() }
    const serving = [...this.#workers].filter(
      ({ group, isReady, leaving }) => isReady && !leaving && group.stays !== true,
    )
    // A worker that has died meanwhile is replaced by one that serves the new build.
    const switched = async (worker: WorkerState): Promise<string | null> => {
      const problem = await this.#ask(worker, (id) => ({ type: 'site', id, builtSite }))
      return this.#workers.has(worker) && worker.worker.connected ? problem : null
    }
    const problems = await Promise.all(serving.map(switched))
    return problems.find((problem) => problem !== null) ?? null
  }

  async stop(patient: boolean): Promise<void> {
    this.send({ type: 'drain' })
    const { drain = 0 } = this.#options
    // A worker that becomes ready during this time gets the message then.
    this.#draining = true
    if (drain > 0 && this.#served) await sleep(drain)
    this.#stopping = true
    clearInterval(this.#timer)
    const stopped = [...this.#workers].map((worker) => this.#stopWorker(worker, patient, this.#options.grace))
    // Workers close their copies after they have accepted the last waiting connection. If this process closed its copy later, the
    // connections in between would be reset.
    this.#sockets?.close()
    await Promise.all(stopped)
  }

  kill(): void {
    this.#stopping = true
    clearInterval(this.#timer)
    this.#sockets?.close()
    for (const worker of this.#workers) worker.worker.kill('SIGKILL')
  }

  #startWorker(group: WorkerGroup): WorkerState {
    const now = performance.now()
    const worker = fork(group.exec, [], { execArgv: [...process.execArgv, ...(group.flags ?? [])] })
    const state = {
      lastHeardAt: now,
      listens: false,
      isReady: false,
      leaving: false,
      trial: false,
      failure: null,
      onResting: () => undefined,
    }
    const rest = { load: IDLE, lastRelievedAt: 0 }
    const watched = {
      name: this.#freeName(group),
      kind: group.name,
      send: (message: ToWorker) => sendTo(worker, message),
    }
    const disconnected = new Promise<void>((resolve) => worker.once('disconnect', () => resolve()))
    const started: WorkerState = { group, worker, startedAt: now, disconnected, ...watched, ...state, ...rest }
    this.#workers.add(started)
    worker.on('message', (message: unknown, sent: SendHandle) => {
      if (isToSupervisor(message)) this.#receive(started, message, sent)
    })
    worker.on('error', (error) => {
      this.#options.log.error({ pid: worker.pid }, `worker: ${error.message}`)
      // A process that could not be started has no exit event.
      if (worker.pid === undefined) this.#onExit(started, null, null)
    })
    worker.once('exit', (code, signal) => this.#onExit(started, code, signal))
    return started
  }

  #freeName({ name }: WorkerGroup): string {
    const taken = new Set([...this.#workers].map((worker) => worker.name))
    let number = 1
    while (taken.has(`${name}-${number}`)) number++
    return `${name}-${number}`
  }

  #receive(from: WorkerState, message: ToSupervisor, sent: SendHandle): void {
    from.lastHeardAt = performance.now()
    this.#options.observer?.received(from, message)
    if (message.type === 'hello') {
      from.listens = true
      void this.#sendStart(from)
    }
    if (message.type === 'prepared') void this.#lendSockets(from)
    if (message.type === 'socket') this.#sockets?.storeCopy(message.at, sent)
    if (message.type === 'load') {
      from.load = message
      this.#rebalance(from)
    }
    if (message.type === 'resting') from.onResting()
    if (message.type === 'failed') from.failure = message.sentence
    if (message.type === 'answer' || message.type === 'serving') this.#questions.get(message.id)?.(message.problem)
    if (message.type !== 'ready') return
    from.isReady = true
    if (this.#draining) from.send({ type: 'drain' })
    this.#sendCurrentBuild(from)
    if (from.group === this.#first && !from.leaving) this.#sockets?.onWorkerReady()
    this.#waiting.get(from)?.(true)
    this.#waiting.delete(from)
    if (from.group !== this.#first || this.#served) return
    this.#served = true
    this.#settle?.resolve({ port: message.port, news: message.news })
    if (this.#stopping) return
    for (let i = this.#initialCount; i < this.#first.count; i++) this.#startWorker(this.#first)
    for (const group of this.#others) for (let i = 0; i < group.count; i++) this.#startWorker(group)
  }

  /** Opens the sockets when the first worker is prepared, so that an open port means that the server answers. */
  async #lendSockets(to: WorkerState): Promise<void> {
    const { listen } = this.#options
    if (this.#sockets === null || listen === undefined) return
    try {
      await this.#sockets.open()
    } catch (error) {
      const known = listenError(error, listen)
      const message = error instanceof Error ? error.message : String(error)
      this.#giveUp(known instanceof StartError ? known : new StartError(`The server failed to start: ${message}`))
      return
    }
    if (!this.#stopping && to.worker.connected) this.#sockets.lend(to.worker)
  }

  /** Returns the worker for the next connection from the supervisor. */
  #leastBusy(): ChildProcess | null {
    let least: WorkerState | null = null
    for (const worker of this.#serving()) if (least === null || worker.load.busy < least.load.busy) least = worker
    if (least === null) return null
    // Moves the worker to the end, so that the other workers come first next time.
    this.#workers.delete(least)
    this.#workers.add(least)
    return least.worker
  }

  /** Returns the workers that answer requests. */
  #serving(): readonly WorkerState[] {
    const serves = ({ group, isReady, leaving, worker }: WorkerState): boolean =>
      group === this.#first && isReady && !leaving && worker.connected
    return [...this.#workers].filter(serves)
  }

  /** Sends a worker the current build if workers were switched after it started. */
  #sendCurrentBuild(worker: WorkerState): void {
    if (this.#switched === null || this.#switched.at < worker.startedAt || worker.group.stays === true) return
    worker.send({ type: 'site', id: 0, builtSite: this.#switched.builtSite })
  }

  #rebalance(worker: WorkerState): void {
    const now = performance.now()
    if (now - worker.lastRelievedAt < REBALANCE_PAUSE) return
    const others = [...this.#workers].filter(
      ({ group, isReady, leaving }) => group === worker.group && isReady && !leaving,
    )
    const count = surplus(
      worker.load,
      others.flatMap((otherWorker) => (otherWorker === worker ? [] : [otherWorker.load])),
    )
    if (count > 0 && worker.send({ type: 'part', count })) worker.lastRelievedAt = now
  }

  async #sendStart(to: WorkerState): Promise<void> {
    // `begin` fails when the server itself cannot start. Its caller reports that, and this worker gets no work.
    const messages = await Promise.resolve(to.group.begin(to.trial)).catch(() => [])
    for (const message of messages) to.send(message)
  }

  #onExit(from: WorkerState, code: number | null, signal: string | null): void {
    this.#workers.delete(from)
    this.#waiting.get(from)?.(false)
    this.#waiting.delete(from)
    this.#options.observer?.ended(from, from.leaving || this.#stopping)
    if (this.#stopping) return
    if (this.#served && this.#serving().length === 0) this.#sockets?.onNoWorker()
    if (from.leaving) return
    const reason = from.failure ?? `worker ${from.worker.pid} ended (${signal ?? `code ${code}`})`
    if (!this.#served) {
      this.#giveUp(
        new StartError(from.failure ?? 'The server process ended before it could serve. See its messages above.'),
      )
      return
    }
    this.#options.log.error({}, reason)
    if (!from.trial) this.#replaceLater(from.group, performance.now() - from.startedAt > STABLE_AFTER)
  }

  #giveUp(reason: StartError): void {
    this.#settle?.reject(reason)
    this.kill()
  }

  // Without a delay, a worker that dies at its start would be restarted as fast as the machine can.
  #replaceLater(group: WorkerGroup, wasStable: boolean): void {
    const count = wasStable ? 0 : (this.#failures.get(group) ?? 0) + 1
    this.#failures.set(group, count)
    const delay = wasStable ? 0 : Math.min(30_000, 250 * 2 ** count)
    setTimeout(() => {
      if (!this.#stopping) this.#startWorker(group)
    }, delay)
  }

  #check(): void {
    const now = performance.now()
    // After the machine was asleep, every worker seems unresponsive.
    const wasAsleep = now - this.#checked > CHECK_INTERVAL * 3
    this.#checked = now
    for (const worker of [...this.#workers]) {
      if (wasAsleep) worker.lastHeardAt = now
      if (worker.leaving || now - worker.lastHeardAt <= (worker.isReady ? this.#options.silence : START_TIMEOUT))
        continue
      this.#options.log.warn({ pid: worker.worker.pid }, `worker ${worker.worker.pid} does not respond and is replaced`)
      worker.leaving = true
      if (this.#serving().length === 0) this.#sockets?.onNoWorker()
      const next = this.#startWorker(worker.group)
      const timeout = setTimeout(() => worker.worker.kill('SIGKILL'), Math.max(this.#options.silence, MIN_HANDOVER))
      this.#waiting.set(next, () => {
        clearTimeout(timeout)
        if (performance.now() - worker.lastHeardAt < CHECK_INTERVAL * 2) void this.#retire(worker)
        else worker.worker.kill('SIGKILL')
      })
    }
  }

  /** Stops a worker that is replaced. */
  #retire(worker: WorkerState): Promise<void> {
    return this.#stopWorker(worker, true, Math.max(worker.group.stopTime, MIN_STOP_TIME))
  }

  /** Lets a worker finish its work; resolves when it has exited. A second call with a shorter time shortens the wait. */
  #stopWorker(worker: WorkerState, patient: boolean, time: number): Promise<void> {
    worker.leaving = true
    return new Promise((resolve) => {
      if (worker.worker.exitCode !== null || worker.worker.signalCode !== null) {
        resolve()
        return
      }
      const timeout = setTimeout(() => worker.worker.kill('SIGKILL'), time + 1_000)
      worker.worker.once('exit', () => {
        clearTimeout(timeout)
        // The last messages of the worker may still be on their way.
        const limit = setTimeout(resolve, LAST_MESSAGES_TIMEOUT)
        void worker.disconnected.then(() => {
          clearTimeout(limit)
          resolve()
        })
      })
      const stop: ToWorker = { type: 'stop', grace: time, patient }
      // A worker that does not listen to messages yet has no work to finish.
      if (!worker.listens) worker.worker.kill('SIGKILL')
      else if (!worker.send(stop)) worker.worker.kill('SIGTERM')
    })
  }

  /**
   * Replaces a worker. Resolves to null when the new one serves, or to the reason why the old one stays.
   * @param exits receives promises that resolve when old workers have exited
   */
  async #replace(oldWorker: WorkerState, isFirst: boolean, exits: Promise<unknown>[]): Promise<string | null> {
    const next = this.#startWorker(oldWorker.group)
    next.trial = true
    const isReady = await new Promise<boolean>((resolve) => this.#waiting.set(next, resolve))
    if (!isReady) return next.failure ?? 'the new process ended before it could serve; its messages are in the log'
    const problem = isFirst && next.group === this.#first ? await this.#health(next) : null
    if (problem !== null) {
      void this.#retire(next)
      return problem
    }
    next.trial = false
    const resting = new Promise<void>((resolve) => {
      oldWorker.onResting = resolve
    })
    const exited = this.#retire(oldWorker)
    // Jobs may run for hours, and a reload does not wait for them.
    if (oldWorker.group.stopTime <= this.#options.grace) exits.push(Promise.race([exited, resting]))
    return null
  }

  /** Resolves to the reason why a worker cannot answer requests; null when it can. */
  #health(worker: WorkerState): Promise<string | null> {
    return this.#ask(worker, (id) => ({ type: 'ask', id, question: 'ready', shared: false, process: worker.name }))
  }

  /** Sends a worker a question. Resolves to the problem in its answer; null when there is none. */
  #ask(worker: WorkerState, question: (id: number) => ToWorker): Promise<string | null> {
    const id = --this.#asked
    return new Promise<string | null>((resolve) => {
      const timeout = setTimeout(() => resolve('the new process did not report whether it is ready'), HEALTH_TIMEOUT)
      const ended = (): void => resolve('the new process ended right after its start')
      this.#questions.set(id, (problem) => {
        clearTimeout(timeout)
        worker.worker.off('exit', ended)
        resolve(problem)
      })
      worker.worker.once('exit', ended)
      if (!worker.send(question(id))) ended()
    }).finally(() => this.#questions.delete(id))
  }
}
