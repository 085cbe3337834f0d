/** The entry of a worker process: the supervisor starts it and tells it by messages what to serve and when to stop. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Sql } from 'postgres'
import * as runtime from '../runtime/index.ts'
import type { CompiledSite } from '../runtime/page/site.ts'
import { createApp, type TableIds } from './app.ts'
import { handleUncaughtErrors, followSupervisor, sendToSupervisor, type Child } from './cluster/child.ts'
import { reportLoad } from './cluster/load.ts'
import { type DevBuild, newerBuild, serviceOf, type ToWorker } from './cluster/messages.ts'
import type { DevView } from './dev/view.ts'
import { createOutboxPage } from './dev/outbox.ts'
import { type Listening, type ListenOptions, listen } from './http/listen.ts'
import type { Handler } from './http/message.ts'
import type { ThreadSite } from './jobs/threads/calls.ts'
import { createDatabaseCheck } from './observe/database-check.ts'
import { createHealth, type Health } from './observe/health.ts'
import { isMeasured, observerOf, tracesOf } from './observe/observer.ts'
import { createProbes, warnOfHidden } from './observe/probes.ts'
import { answerQuestion, measureProcess, type ProcessMeasures } from './observe/process.ts'
import { leftSentence, migrateSite } from './jobs/migrations/migrate-site.ts'
import { raiseInliningBudget } from './cluster/inlining.ts'
import { listenError } from './listen-error.ts'
import { outboxFolder } from './notifications/open.ts'
import { openLogs } from './logs/open.ts'
import { openParts } from './parts.ts'
import type { Logger } from './contracts/log.ts'
import { createLogger } from './services/log.ts'
import { type LoadedSite, loadSite } from './site/load.ts'

// Faults are located by their stack, and nested partials make it deep.
Error.stackTraceLimit = 50
raiseInliningBudget()

/** Milliseconds in which a worker that replaces another one prepares for visitors. */
const WARM_TIME = 500

type StartMessage = Extract<ToWorker, { type: 'start' }>

interface RunningWorker {
  readonly listening: Listening
  readonly view: DevView | null
  readonly logger: Logger
  readonly health: Health
  readonly measures: ProcessMeasures | null
  /** Answers a question of the supervisor. */
  asked(message: Extract<ToWorker, { type: 'ask' }>): void
  /** Disconnects from the database. */
  close(): Promise<void>
}

/** Null when it was stopped before it listened. */
let running: Promise<RunningWorker | null> | null = null
let stopping = false
/** In development: the newest build. */
let build: DevBuild | null = null

const child: Child = { handle, stop }
followSupervisor(child)

async function handle(message: Exclude<ToWorker, { type: 'stop' }>): Promise<void> {
  if (message.type === 'start') {
    running = start(message)
    await running
    return
  }
  if (message.type === 'built') build = newerBuild(build, message)
  // Failures of the start are reported where it is awaited.
  const started = await running?.catch(() => null)
  const { view, listening } = started ?? { view: null, listening: null }
  if (message.type === 'drain') started?.health.drain()
  else if (message.type === 'ask') started?.asked(message)
  else if (message.type === 'page') started?.measures?.printed(message)
  else if (message.type === 'part') listening?.part(message.count)
  else if (message.type === 'built') await view?.built(message)
  else view?.problems(message.text)
}

async function start({ site: work, settings, version, replaces }: StartMessage): Promise<RunningWorker | null> {
  const { environment, logLevel } = settings
  const logger = createLogger(logLevel, environment === 'development')
  handleUncaughtErrors(logger, child)
  const logs = openLogs(settings.databaseUrl, { environment, logger })
  const database = createDatabaseCheck(settings.databaseUrl, settings.replicaUrl)
  const measures = isMeasured(settings.observe) ? measureProcess(sendToSupervisor, database) : null
  const loaded = work.kind === 'built' ? await loadSite(work.built, runtime) : null
  const release = loaded?.site.fingerprint ?? null
  const traced = { service: serviceOf(work), version, release, environment, log: logger }
  const traces = await tracesOf(settings.observe, traced)
  const observer = observerOf(settings.observe, measures?.collector ?? null, traces)
  const given = { settings, version, logger, log: logs, pool: settings.pool, chores: true, observer }
  const parts = await openParts(given)
  const { facts, files } = parts
  const thread = fileURLToPath(new URL('./job-thread.mjs', import.meta.url))
  const migrated = async (site: CompiledSite, source: ThreadSite): Promise<string | null> => {
    const given = { file: thread, source, settings, version }
    return leftSentence(await migrateSite({ sql: parts.store.sql, site, thread: given, logger, log: logs }))
  }
  let news: string | null = null
  let handler: Handler
  let takesBody: ListenOptions['takesBody']
  let view: DevView | null = null
  const outbox = createOutboxPage(outboxFolder(settings.dataFolder))
  if (work.kind === 'built' && loaded !== null) {
    const ids = await parts.prepare(loaded)
    warnOfHidden(loaded.site, settings.observe, logger)
    news = await migrated(loaded.site, work)
    const app = createApp(loaded, facts, ids)
    // Until it is ready the old one answers; without an old one, nobody does.
    if (replaces === true) await app.warm(WARM_TIME)
    const { handler: answer } = app
    takesBody = (request) => app.takesBody(request)
    // The outbox is shown whenever messages are kept in it, also without the compiler.
    handler =
      environment === 'development' ? async (request) => (await outbox.answer(request)) ?? answer(request) : answer
  } else {
    const root = work.kind === 'dev' ? work.root : work.built.root
    // What only development needs makes no other start longer.
    const [{ createDevView }, { createGraphiql }] = await Promise.all([
      import('./dev/view.ts'),
      import('./dev/graphiql.ts'),
    ])
    const graphiql = createGraphiql(fileURLToPath(new URL('./graphiql', import.meta.url)))
    const seed = seedOnce(root, parts.store.sql, logger)
    const prepare = async (loaded: LoadedSite): Promise<TableIds> => {
      const { site } = loaded
      const ids = await seed(site, await parts.prepare(loaded))
      if (build === null) return ids
      const left = await migrated(site, { kind: 'dev', root, build })
      // Logged once, and again after a change.
      if (left !== null && left !== news) logger.warn({}, left)
      news = left
      return ids
    }
    view = createDevView(root, runtime, { ...facts, trusts: graphiql.accepts }, { prepare, graphiql, outbox })
    handler = view.handler
  }
  const health = createHealth({
    paths: { up: settings.observe.upPath, ready: settings.observe.readyPath },
    release,
    migrated: () => news === null,
    database,
    log: logger,
  })
  const close = async (): Promise<void> => {
    measures?.collector.flush()
    await Promise.all([logs.close(), parts.close(), database.close(), traces?.close()])
  }
  if (stopping) {
    await close()
    return null
  }
  const { host, port, proxies, hosts, rate, bodyLimit } = settings
  try {
    const uploads = { folder: files.incoming, limit: settings.uploadLimit }
    const probes = createProbes(health, settings.observe.metrics, measures)
    const told = { log: logger, release, measures: measures?.collector ?? null, tracer: traces }
    const read = { bodyLimit, uploads, ...(takesBody !== undefined && { takesBody }) }
    const listening = await listen(handler, { host, port, proxies, hosts, rate, ...read, probes, ...told })
    measures?.collector.gauge('connections', () => [{ labels: [], value: listening.connections() }])
    sendToSupervisor({ type: 'ready', port: listening.port, news })
    reportLoad(
      () => listening.connections(),
      (load) => sendToSupervisor({ type: 'load', ...load }),
    )
    const asked = (message: Extract<ToWorker, { type: 'ask' }>): void =>
      void answerQuestion(message, database, measures, sendToSupervisor)
    return { listening, view, logger, health, measures, asked, close }
  } catch (error) {
    throw listenError(error, settings)
  }
}

/** Seeds the tables of a new site. Errors in a seed do not prevent serving; they are for its author to fix. */
function seedOnce(root: string, sql: Sql, logger: Logger): (site: CompiledSite, ids: TableIds) => Promise<TableIds> {
  let done = false
  return async ({ data }, ids) => {
    if (done) return ids
    done = true
    try {
      const home = { root, data, ids, sql, close: async () => undefined }
      const { seedWhenEmpty } = await import('./data/seed.ts')
      const added = await seedWhenEmpty(home, (sentence) => logger.warn({}, sentence))
      if (added !== null) logger.info({}, `the tables were empty: ${added} rows of seed/ were added`)
    } catch (error) {
      logger.warn({}, `seed/ could not be read: ${error instanceof Error ? error.message : String(error)}`)
    }
    return ids
  }
}

async function stop(grace: number, linger: number, code: number): Promise<void> {
  if (stopping) return
  stopping = true
  // A failed start was reported where it was awaited. One that needs a supervisor that is gone would never end.
  const ended = await Promise.race([running?.catch(() => null), sleep(grace, null, { ref: false })])
  await ended?.listening.stop(grace, linger)
  // The database rolls back open transactions by itself, so an unresponsive one is not waited for.
  await Promise.race([ended?.close().catch(() => undefined), sleep(1_000)])
  ended?.logger.flush(() => process.exit(code))
  setTimeout(() => process.exit(code), 500)
}
