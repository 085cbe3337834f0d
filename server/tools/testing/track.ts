/** A track: a site with a separate database connection, on which tests run one after the other. Several tracks run in parallel. */
import { asFault } from '../../../runtime/page/render.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../runtime/page/limits.ts'
import type { Scope } from '../../../runtime/page/site.ts'
import { type App, createApp } from '../../web/app.ts'
import type { TableIds } from '../../web/app-options.ts'
import type { MessageBus } from '../../web/channels/bus.ts'
import { localBus } from '../../web/channels/local-bus.ts'
import { memoryCache } from '../../web/cache/open.ts'
import type { SharedCache } from '../../web/cache/model.ts'
import type { Logger, SiteLog } from '../../core/contracts/log.ts'
import type { Observer } from '../../core/contracts/observer.ts'
import { createRequest } from '../../web/http/message.ts'
import type { QueuedJob } from '../../operate/jobs/task/request.ts'
import { runTask } from '../../operate/jobs/task/run-task.ts'
import { openProcessServices, type ProcessServices } from '../../web/process-services.ts'
import type { ReadySettings } from '../../core/settings.ts'
import type { SiteHost, Visit } from '../../web/site/host.ts'
import type { LoadedSite } from '../../web/site/load.ts'
import { PageVisit } from '../../web/site/page-visit.ts'
import { createRender } from '../../web/site/render-page.ts'
import type { Store } from '../../data/store/store.ts'
import { Contract, findPlace } from './contract.ts'
import { type TestIsolation, isolateTests } from './isolate-tests.ts'
import { TestJobs } from './jobs.ts'
import { TestConnection } from './test-connection.ts'
import type { TestCase, TestFailure, TestResult } from './model.ts'
import { readRequests, InvalidTestFile } from './request-file.ts'
import { RequestRun } from './requests.ts'
import { TestSocket } from './sockets.ts'

/** Receives what happens on a track. */
export interface TrackListeners {
  /** Receives log entries of templates. */
  readonly log?: SiteLog
  readonly observer?: Observer
}

export interface TrackOptions extends TrackListeners {
  readonly loadedSite: LoadedSite
  readonly ids: TableIds
  /** The migrated database of the site. */
  readonly store: Store
  readonly settings: ReadySettings
  readonly version: string
  readonly logger: Logger
  /** Returns the text of a file of the site. */
  readonly read: (file: string) => string
  /** Whether pages and jobs of the site run its tests, so that each test must be rolled back separately. */
  readonly isolatesTests?: boolean
}

/** Milliseconds that a test may take. */
const TEST_TIMEOUT = 60_000
const LIMITS: Limits = { ...DEFAULT_LIMITS, steps: Number.POSITIVE_INFINITY, time: TEST_TIMEOUT }
/** Time limit of a job in seconds. */
const JOB_SECONDS = 60

/** Statements after which cached constants and translations are reloaded. */
const CHANGES_CACHED_ROWS = /\b(?:insert into|update|delete from)\s+ingot\.(?:constants|translations)\b/i

const NO_LOG: SiteLog = { write: () => undefined, failed: () => undefined }

export class Track {
  readonly #options: TrackOptions
  readonly #connection: TestConnection
  readonly #parts: ProcessServices
  readonly #app: App
  readonly #jobs: TestJobs
  readonly #bus: MessageBus
  /** Rises with each test, so that no test finds cached fragments of another one. */
  readonly #round: { number: number }
  #isStale = { constants: false }

  private constructor(options: TrackOptions, made: TrackState) {
    this.#options = options
    this.#connection = made.connection
    this.#parts = made.parts
    this.#app = made.app
    this.#jobs = made.jobs
    this.#bus = made.bus
    this.#round = made.round
    this.#isStale = made.stale
  }

  /** Opens a track. @throws database errors */
  static async open(options: TrackOptions): Promise<Track> {
    const { ids, store, settings, version, logger, log = NO_LOG, observer = null } = options
    const loadedSite: LoadedSite = options.isolatesTests
      ? isolateTests(options.loadedSite, isolationParts())
      : options.loadedSite
    const stale = { constants: false }
    const round = { number: 0 }
    const connection: TestConnection = new TestConnection(settings.databaseUrl, (text, rows) => {
      jobs.onStatement(text, rows)
      if (CHANGES_CACHED_ROWS.test(text)) stale.constants = true
    })
    const jobs: TestJobs = new TestJobs(connection.sql, (id, job) => track.#runJob(id, job, JOB_SECONDS))
    const own: Store = { ...store, sql: connection.sql, replica: null, prepare: async () => ({ ids }) }
    const parts = await connection.runAndRollBack(() =>
      openProcessServices({ settings, version, logger, log, observer, pool: 1, chores: false, store: own }),
    )
    await parts.prepare(loadedSite)
    const cache = freshCache(memoryCache(logger), round)
    const limits = options.isolatesTests ? { limits: LIMITS } : {}
    const bus = localBus()
    const { publish: sendMessage } = bus
    const app = createApp(loadedSite, { ...parts.facts, ...limits, cache, sendMessage, wrapData: jobs.wrap }, ids)
    const track = new Track({ ...options, loadedSite }, { connection, parts, app, jobs, bus, round, stale })
    return track

    function isolationParts(): TestIsolation {
      return {
        runAndRollBack: (body) => track.#runPartAndRollBack(body),
        failureOf: (error, file) => track.failureOf(error, file),
        jobFailures: (file) => track.jobFailures(file),
      }
    }
  }

  /** Runs `act` with the site, in a transaction that is rolled back. @throws the errors of `act` */
  async runAndRollBack<T>(act: (app: App, ids: TableIds) => Promise<T>): Promise<T> {
    this.#round.number++
    this.#jobs.reset()
    return this.#connection.runAndRollBack(async () => {
      await this.#reloadCached()
      return act(this.#app, this.#options.ids)
    })
  }

  /** Executes a job in a transaction that is rolled back. @throws the error of the job */
  async job(id: string, job: QueuedJob, seconds: number): Promise<void> {
    await this.runAndRollBack(() => this.#runJob(id, job, seconds))
  }

  async #runJob(id: string, job: QueuedJob, seconds: number): Promise<void> {
    const { notifications, files, facts } = this.#parts
    const user = async (name: string) => (await facts.accounts?.user(name)) ?? null
    const task = { host: this.#app.host(), notifications, sql: this.#connection.sql, files: files.service, user }
    await runTask({ ...task, cpuWait: () => 0, memory: () => undefined }, id, job, seconds)
  }

  /** Runs one of several tests in a transaction, and rolls back its changes. @throws the errors of the test */
  async #runPartAndRollBack(test: () => Promise<unknown>): Promise<unknown> {
    this.#round.number++
    this.#jobs.reset()
    try {
      return await this.#connection.runPartAndRollBack(test)
    } finally {
      await this.#reloadCached()
    }
  }

  /** Returns the failures of jobs since the last transaction began. @param file used for failures without a location */
  jobFailures(file: string): readonly TestFailure[] {
    return this.#jobs.failures.map((error) => {
      const failure = this.failureOf(error, file)
      return { ...failure, message: `in a job: ${failure.message}` }
    })
  }

  /** Runs a test in a transaction that is rolled back. Never throws an error of the test. */
  async run(test: TestCase): Promise<TestResult> {
    const startedAt = performance.now()
    let found: Found
    try {
      found = await this.runAndRollBack(async () =>
        test.kind === 'liquid' ? this.#runLiquid(test) : this.#runRequests(test),
      )
    } catch (error) {
      found = { failures: [this.failureOf(error, test.file)], assertions: 0, printed: '' }
    }
    const failures = [...found.failures, ...this.jobFailures(test.file)]
    return { test, ...found, failures, milliseconds: performance.now() - startedAt }
  }

  async close(): Promise<void> {
    await this.#parts.close()
    await this.#connection.close()
  }

  /** Reloads constants and translations if the previous test has changed them. */
  async #reloadCached(): Promise<void> {
    if (!this.#isStale.constants) return
    this.#isStale.constants = false
    await this.#parts.graphql.constants.reload()
    await this.#parts.graphql.translations.reload()
  }

  async #runLiquid(test: TestCase): Promise<Found> {
    const host: SiteHost = { ...this.#app.host(), limits: LIMITS }
    const partial = host.loadedSite.site.partials[test.name]
    if (partial === undefined) throw new Error(`the site has no partial '${test.name}'`)
    const contract = new Contract(test.file, host.services.locate)
    const visit = await createVisit(host, test.name)
    const r = createRender(host, visit, null)
    r.context['tests'] = true
    const scope: Scope = { registry: test.name, contract: contract.value }
    if (partial.shared === null) throw new Error('the test has errors: fix those that `ingot check` reports')
    const printedText = await partial.shared(r, scope)
    const left = scope['contract']
    // If errors are printed in place, the test continues after them.
    const faults = r.faults.map((fault) => this.failureOf(fault, test.file))
    return {
      failures: [...contract.failures(left), ...faults],
      assertions: contract.assertions(left),
      printed: printedText,
    }
  }

  async #runRequests(test: TestCase): Promise<Found> {
    // Drops cached responses of the previous test.
    this.#app.swap(this.#options.loadedSite, this.#options.ids)
    const run = new RequestRun({
      handler: this.#app.handler,
      file: test.file,
      call: (partial, values) => this.#call(partial, values),
      connect: (cookie, token) => TestSocket.open(() => this.#app.host(), this.#bus, cookie, token),
    })
    for (const step of readRequests(this.#options.read(test.file))) {
      try {
        await run.step(step)
      } catch (error) {
        const { place, ...failure } = this.failureOf(error, test.file)
        run.failures.push({ ...failure, place: place ?? { file: test.file, line: step.line } })
        break
      }
    }
    await run.close()
    return { failures: run.failures, assertions: run.assertions, printed: '' }
  }

  async #call(name: string, values: Scope): Promise<unknown> {
    const host: SiteHost = { ...this.#app.host(), limits: LIMITS }
    const { partials } = host.loadedSite.site
    const partial = Object.hasOwn(partials, name) ? partials[name] : undefined
    if (partial === undefined || partial.value === null) throw new Error(`can't find partial ${name}`)
    const r = createRender(host, await createVisit(host, name), null, { raise: true })
    r.context['tests'] = true
    return partial.value(r, { ...values })
  }

  /** Converts an error to a failure with its location. @param file used when there is no location */
  failureOf(error: unknown, file: string): TestFailure {
    if (error instanceof InvalidTestFile)
      return { subject: '', message: error.message, place: { file, line: error.line }, values: null }
    const fault = asFault(error)
    if (fault !== error) fault.cause ??= error
    this.#app.host().services.locate(fault)
    const why = fault.cause instanceof Error && fault.message === 'internal error' ? fault.cause : fault
    return {
      subject: '',
      message: this.#missingModuleMessage(why.message) ?? why.message,
      place: findPlace(fault, file),
      values: null,
    }
  }

  /** Returns what to do about a partial of a module that is not installed; null for other messages. */
  #missingModuleMessage(message: string): string | null {
    const [, module, name] = /^can't find partial modules\/([\w-]+)\/([^\s]+?)\.?(?:\s|$)/.exec(message) ?? []
    const { partialFiles } = this.#options.loadedSite.site
    if (module === undefined || partialFiles.some((one) => one.name.startsWith(`modules/${module}/`))) return null
    return `the module '${module}', which has '${name}', is not installed: run \`ingot modules install ${module}\``
  }
}

interface TrackState {
  readonly connection: TestConnection
  readonly parts: ProcessServices
  readonly app: App
  readonly jobs: TestJobs
  readonly bus: MessageBus
  readonly round: { number: number }
  readonly stale: { constants: boolean }
}

type Found = Pick<TestResult, 'failures' | 'assertions' | 'printed'>

function freshCache(cache: SharedCache, round: { readonly number: number }): SharedCache {
  return {
    tokenPlaceholder: cache.tokenPlaceholder,
    forSite: (space) => cache.forSite(() => `${space()} ${round.number}`),
    close: () => cache.close(),
  }
}

/** Creates the visit of a request to the test page of the platform's module. */
async function createVisit(host: SiteHost, name: string): Promise<Visit> {
  const params = { name }
  const request = createRequest({
    ...{ method: 'GET', url: `/_tests/run?name=${encodeURIComponent(name)}`, protocol: 'http', host: 'localhost' },
    ...{ ip: '127.0.0.1', headers: {}, body: null, id: 'test' },
  })
  return new PageVisit(host, request, params, host.sessions === null ? null : await host.sessions(request, params))
}
