/**
 * Keeps a number of worker processes alive: replaces a worker that dies or stops responding, and can restart all of
 * them one by one. Workers that serve requests share the listening socket and accept connections themselves, so a
 * worker that is busy with a page gets no connection; one with too many connections gives some away (`load.ts`). The supervisor
 * holds the socket, and accepts only while no worker is ready (`sockets.ts`).
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
  /** Whether it listens to messages yet. */
  listens: boolean
  ready: boolean
  /** Whether it is expected to end; its exit then needs no replacement. */
  leaving: boolean
  /** Whether it is about to replace a worker, which stays if this one cannot start. */
  trial: boolean
  failure: string | null
  /** Resolves when all that it has said is heard. */
  readonly silent: Promise<void>
  /** Called when it has nothing left but requests that wait for what takes its place. */
  rests: () => void
  /** The last reported load. */
  load: Load
  /** Time of the last request to give connections away. */
  relieved: number
}

/**
 * Milliseconds that an unresponsive worker is kept at least while its replacement starts: one that was only slow may
 * still finish its answers.
 */
const MIN_HANDOVER = 15_000
const START_LIMIT = 60_000
/** Milliseconds that a new worker has to say whether it is ready. */
const HEALTH_LIMIT = 30_000
const CHECK_EVERY = 1_000
/** Milliseconds; a worker that lived longer did not fail at its start. */
const STABLE_AFTER = 10_000
/**
 * Milliseconds before a worker may be asked again to give connections away, so that its next reports show the effect.
 */
const REBALANCE_PAUSE = 250
/**
 * Milliseconds that a worker gets at least when it is replaced: more than those in which clients may still use idle
 * connections.
 */
const MIN_STOP_TIME = 6_000

/** Milliseconds in which the last words of a worker that has ended are read. */
const HEARD_LIMIT = 2_000

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
  /** Null where no worker listens. */
  readonly #sockets: ListeningSockets | null
  readonly #waiting = new Map<WorkerState, (ready: boolean) => void>()
  /** Questions about health by their ids, which are negative: those of an observer, on the same channel, are positive. */
  readonly #questions = new Map<number, (problem: string | null) => void>()
  #asked = 0
  /** The build that was switched to last, and when. */
  #switched: { readonly built: BuiltSite; readonly at: number } | null = null
  /** Failed starts in a row. */
  readonly #failures = new Map<WorkerGroup, number>()
  readonly #timer: NodeJS.Timeout
  #settle: { resolve: (ready: ReadyWorker) => void; reject: (error: StartError) => void } | null = null
  /** Workers of the first group that start at once, one for each processor but this one: the first page waits for one of them only. */
  readonly #begun: number
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
    this.#begun = Math.min(first.count, Math.max(1, availableParallelism() - 1))
    for (let i = 0; i < this.#begun; i++) this.#startWorker(first)
    this.#checked = performance.now()
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY)
  }

  processes(): readonly WatchedProcess[] {
    return [...this.#workers].filter((one) => one.ready)
  }

  pids(): number[] {
    const serving = [...this.#workers].filter((one) => one.ready && !one.leaving)
    return serving.map((one) => one.worker.pid ?? 0)
  }

  send(message: ToWorker): void {
    for (const one of this.#workers) one.send(message)
  }

  async reload(): Promise<ReloadFailure | null> {
    let replaced = 0
    const ends: Promise<unknown>[] = []
    for (const old of [...this.#workers]) {
      // One that has died meanwhile is replaced as any other that dies.
      if (old.leaving || old.group.stays === true || this.#stopping || !this.#workers.has(old)) continue
      const reason = await this.#replace(old, replaced === 0, ends)
      if (reason === null) {
        replaced++
        continue
      }
      this.#options.log.error({}, 'The new site could not be served; the old one stays.')
      await Promise.all(ends)
      return { reason, replaced }
    }
    await Promise.all(ends)
    return null
  }

  async switchTo(built: BuiltSite): Promise<string | null> {
    this.#switched = { built, at: performance.now() }
    const serving = [...this.#workers].filter(({ group, ready, leaving }) => ready && !leaving && group.stays !== true)
    // One that has died meanwhile is replaced as any other that dies, by one that serves the other build.
    const switched = async (one: WorkerState): Promise<string | null> => {
      const problem = await this.#ask(one, (id) => ({ type: 'site', id, built }))
      return this.#workers.has(one) && one.worker.connected ? problem : null
    }
    const problems = await Promise.all(serving.map(switched))
    return problems.find((problem) => problem !== null) ?? null
  }

  async stop(patient: boolean): Promise<void> {
    this.send({ type: 'drain' })
    const { drain = 0 } = this.#options
    // Whoever starts meanwhile, in the place of a worker that died, is told when it is ready.
    this.#draining = true
    if (drain > 0 && this.#served) await sleep(drain)
    this.#stopping = true
    clearInterval(this.#timer)
    const stopped = [...this.#workers].map((one) => this.#stopWorker(one, patient, this.#options.grace))
    // Workers close their copies after the last waiting connection is accepted; closing one later would reset
    // the connections that came in between.
    this.#sockets?.close()
    await Promise.all(stopped)
  }

  kill(): void {
    this.#stopping = true
    clearInterval(this.#timer)
    this.#sockets?.close()
    for (const one of this.#workers) one.worker.kill('SIGKILL')
  }

  #startWorker(group: WorkerGroup): WorkerState {
    const now = performance.now()
    const worker = fork(group.exec, [], { execArgv: [...process.execArgv, ...(group.flags ?? [])] })
    const state = {
      lastHeardAt: now,
      listens: false,
      ready: false,
      leaving: false,
      trial: false,
      failure: null,
      rests: () => undefined,
    }
    const rest = { load: IDLE, relieved: 0 }
    const watched = {
      name: this.#freeName(group),
      kind: group.name,
      send: (message: ToWorker) => sendTo(worker, message),
    }
    const silent = new Promise<void>((done) => worker.once('disconnect', () => done()))
    const started: WorkerState = { group, worker, startedAt: now, silent, ...watched, ...state, ...rest }
    this.#workers.add(started)
    worker.on('message', (message: unknown, sent: SendHandle) => {
      if (isToSupervisor(message)) this.#receive(started, message, sent)
    })
    worker.on('error', (error) => {
      this.#options.log.error({ pid: worker.pid }, `worker: ${error.message}`)
      // One that could not be started has no exit.
      if (worker.pid === undefined) this.#ended(started, null, null)
    })
    worker.once('exit', (code, signal) => this.#ended(started, code, signal))
    return started
  }

  #freeName({ name }: WorkerGroup): string {
    const taken = new Set([...this.#workers].map((one) => one.name))
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
    if (message.type === 'socket') this.#sockets?.keep(message.at, sent)
    if (message.type === 'load') {
      from.load = message
      this.#rebalance(from)
    }
    if (message.type === 'resting') from.rests()
    if (message.type === 'failed') from.failure = message.sentence
    if (message.type === 'answer' || message.type === 'serving') this.#questions.get(message.id)?.(message.problem)
    if (message.type !== 'ready') return
    from.ready = true
    if (this.#draining) from.send({ type: 'drain' })
    this.#catchUp(from)
    if (from.group === this.#first && !from.leaving) this.#sockets?.relieve()
    this.#waiting.get(from)?.(true)
    this.#waiting.delete(from)
    if (from.group !== this.#first || this.#served) return
    this.#served = true
    this.#settle?.resolve({ port: message.port, news: message.news })
    if (this.#stopping) return
    for (let i = this.#begun; i < this.#first.count; i++) this.#startWorker(this.#first)
    for (const group of this.#others) for (let i = 0; i < group.count; i++) this.#startWorker(group)
  }

  /** Opens the sockets when the first worker is prepared: a port that is open means that the server answers. */
  async #lendSockets(to: WorkerState): Promise<void> {
    const { listen } = this.#options
    if (this.#sockets === null || listen === undefined) return
    try {
      await this.#sockets.open()
    } catch (error) {
      const known = listenError(error, listen)
      const { message } = error as Error
      this.#giveUp(known instanceof StartError ? known : new StartError(`The server failed to start: ${message}`))
      return
    }
    if (!this.#stopping && to.worker.connected) this.#sockets.lend(to.worker)
  }

  /** The worker that gets the next connection from the supervisor. */
  #leastBusy(): ChildProcess | null {
    let least: WorkerState | null = null
    for (const one of this.#serving()) if (least === null || one.load.busy < least.load.busy) least = one
    if (least === null) return null
    // The others come first next time.
    this.#workers.delete(least)
    this.#workers.add(least)
    return least.worker
  }

  /** The workers that answer requests. */
  #serving(): readonly WorkerState[] {
    const serves = ({ group, ready, leaving, worker }: WorkerState): boolean =>
      group === this.#first && ready && !leaving && worker.connected
    return [...this.#workers].filter(serves)
  }

  /** Has a worker serve what was switched to after it was told what to serve. */
  #catchUp(one: WorkerState): void {
    if (this.#switched === null || this.#switched.at < one.startedAt || one.group.stays === true) return
    one.send({ type: 'site', id: 0, built: this.#switched.built })
  }

  #rebalance(one: WorkerState): void {
    const now = performance.now()
    if (now - one.relieved < REBALANCE_PAUSE) return
    const others = [...this.#workers].filter(({ group, ready, leaving }) => group === one.group && ready && !leaving)
    const count = surplus(
      one.load,
      others.flatMap((other) => (other === one ? [] : [other.load])),
    )
    if (count > 0 && one.send({ type: 'part', count })) one.relieved = now
  }

  async #sendStart(to: WorkerState): Promise<void> {
    // `begin` fails when the server itself cannot start. Its caller reports that, and this worker has nothing to do.
    const messages = await Promise.resolve(to.group.begin(to.trial)).catch(() => [])
    for (const message of messages) to.send(message)
  }

  #ended(from: WorkerState, code: number | null, signal: string | null): void {
    this.#workers.delete(from)
    this.#waiting.get(from)?.(false)
    this.#waiting.delete(from)
    this.#options.observer?.ended(from, from.leaving || this.#stopping)
    if (this.#stopping) return
    if (this.#served && this.#serving().length === 0) this.#sockets?.guard()
    if (from.leaving) return
    const why = from.failure ?? `worker ${from.worker.pid} ended (${signal ?? `code ${code}`})`
    if (!this.#served) {
      this.#giveUp(
        new StartError(from.failure ?? 'The server process ended before it could serve; its messages stand above.'),
      )
      return
    }
    this.#options.log.error({}, why)
    if (!from.trial) this.#replaceLater(from.group, performance.now() - from.startedAt > STABLE_AFTER)
  }

  #giveUp(reason: StartError): void {
    this.#settle?.reject(reason)
    this.kill()
  }

  // Without a delay, a worker that dies at its start would be started again as fast as the machine can.
  #replaceLater(group: WorkerGroup, settled: boolean): void {
    const count = settled ? 0 : (this.#failures.get(group) ?? 0) + 1
    this.#failures.set(group, count)
    const delay = settled ? 0 : Math.min(30_000, 250 * 2 ** count)
    setTimeout(() => {
      if (!this.#stopping) this.#startWorker(group)
    }, delay)
  }

  #check(): void {
    const now = performance.now()
    // After the machine slept, every worker seems unresponsive although none hangs.
    const slept = now - this.#checked > CHECK_EVERY * 3
    this.#checked = now
    for (const one of [...this.#workers]) {
      if (slept) one.lastHeardAt = now
      if (one.leaving || now - one.lastHeardAt <= (one.ready ? this.#options.silence : START_LIMIT)) continue
      this.#options.log.warn({ pid: one.worker.pid }, `worker ${one.worker.pid} is silent and is replaced`)
      one.leaving = true
      if (this.#serving().length === 0) this.#sockets?.guard()
      const next = this.#startWorker(one.group)
      const late = setTimeout(() => one.worker.kill('SIGKILL'), Math.max(this.#options.silence, MIN_HANDOVER))
      this.#waiting.set(next, () => {
        clearTimeout(late)
        if (performance.now() - one.lastHeardAt < CHECK_EVERY * 2) void this.#retire(one)
        else one.worker.kill('SIGKILL')
      })
    }
  }

  /** Ends a worker that is replaced. */
  #retire(one: WorkerState): Promise<void> {
    return this.#stopWorker(one, true, Math.max(one.group.stopTime, MIN_STOP_TIME))
  }

  /** Lets a worker finish its work; resolves when it has ended. A second call with a shorter time shortens the wait. */
  #stopWorker(one: WorkerState, patient: boolean, time: number): Promise<void> {
    one.leaving = true
    return new Promise((done) => {
      if (one.worker.exitCode !== null || one.worker.signalCode !== null) {
        done()
        return
      }
      const late = setTimeout(() => one.worker.kill('SIGKILL'), time + 1_000)
      one.worker.once('exit', () => {
        clearTimeout(late)
        // What it has said last may still be on its way.
        const heard = setTimeout(done, HEARD_LIMIT)
        void one.silent.then(() => {
          clearTimeout(heard)
          done()
        })
      })
      const stop: ToWorker = { type: 'stop', grace: time, patient }
      // A worker that does not listen to messages yet has no work to finish.
      if (!one.listens) one.worker.kill('SIGKILL')
      else if (!one.send(stop)) one.worker.kill('SIGTERM')
    })
  }

  /**
   * Resolves to null when the new one serves, or to why the old one stays.
   * @param ends gets what resolves when the old one has ended
   */
  async #replace(old: WorkerState, isFirst: boolean, ends: Promise<unknown>[]): Promise<string | null> {
    const next = this.#startWorker(old.group)
    next.trial = true
    const fine = await new Promise<boolean>((done) => this.#waiting.set(next, done))
    if (!fine) return next.failure ?? 'the new process ended before it could serve; its messages are in the log'
    const problem = isFirst && next.group === this.#first ? await this.#health(next) : null
    if (problem !== null) {
      void this.#retire(next)
      return problem
    }
    next.trial = false
    const rests = new Promise<void>((done) => {
      old.rests = done
    })
    const gone = this.#retire(old)
    // Jobs may run for hours, and a reload does not wait for them.
    if (old.group.stopTime <= this.#options.grace) ends.push(Promise.race([gone, rests]))
    return null
  }

  /** Why a worker cannot answer requests; null when it can. */
  #health(of: WorkerState): Promise<string | null> {
    return this.#ask(of, (id) => ({ type: 'ask', id, what: 'ready', shared: false, process: of.name }))
  }

  /** Asks a worker for something; resolves to what is in its way, and to null where it is done. */
  #ask(of: WorkerState, question: (id: number) => ToWorker): Promise<string | null> {
    const id = --this.#asked
    return new Promise<string | null>((done) => {
      const late = setTimeout(() => done('the new process does not say whether it is ready'), HEALTH_LIMIT)
      const ended = (): void => done('the new process ended as soon as it served')
      this.#questions.set(id, (problem) => {
        clearTimeout(late)
        of.worker.off('exit', ended)
        done(problem)
      })
      of.worker.once('exit', ended)
      if (!of.send(question(id))) ended()
    }).finally(() => this.#questions.delete(id))
  }
}
