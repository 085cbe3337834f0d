/** The entry of a worker process. The supervisor starts it, and tells it in messages what to serve and when to stop. */
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Sql } from 'postgres'
import * as runtime from '../runtime/index.ts'
import type { CompiledSite } from '../runtime/page/site.ts'
import { createApp } from './web/app.ts'
import type { AppOptions, TableIds } from './web/app-options.ts'
import {
  borrowSockets,
  type Child,
  type ChildMessage,
  followSupervisor,
  handleUncaughtErrors,
  sendToSupervisor,
} from './operate/cluster/child.ts'
import { reportLoad } from './operate/cluster/load.ts'
import { type DevBuild, mergeBuilds, type ToWorker } from './operate/cluster/messages.ts'
import type { DevView } from './tools/dev/view.ts'
import type { InstanceApi } from './tools/instance/open.ts'
import { createOutboxPage } from './tools/dev/outbox.ts'
import { createEntrance } from './tools/studio/entrance.ts'
import { createSiteReleases } from './tools/studio/releases.ts'
import { reportUnnamedProxy } from './operate/doctor/unnamed-proxy.ts'
import { Channels } from './web/channels/channels.ts'
import { hostFilter } from './web/http/host-names.ts'
import type { UnconfiguredProxy } from './web/http/forwarded.ts'
import { REUSE_TIME } from './web/http/head.ts'
import { listen } from './web/http/listen.ts'
import type { Listening, ListenOptions } from './web/http/listening.ts'
import type { Handler, Request } from './web/http/message.ts'
import type { ThreadSite } from './operate/jobs/threads/calls.ts'
import { createDatabaseCheck } from './operate/observe/database-check.ts'
import { createHealth, type Health } from './operate/observe/health.ts'
import { isMeasured, isRecorded, createObserver, startTraces } from './operate/observe/observer.ts'
import { createRequestItems } from './operate/observe/recorded-items.ts'
import { RequestIndex } from './operate/observe/request-index.ts'
import { type ExplainedSite, recordedPlans, siteFindings } from './operate/observe/site-findings.ts'
import { createProbes, warnAboutHiddenPages } from './operate/observe/probes.ts'
import { answerQuestion, measureProcess, type ProcessMeasures } from './operate/observe/process.ts'
import { failedModulesNotice, type MigrateOptions, migrateSite } from './operate/jobs/migrations/migrate-site.ts'
import { outboxFolder } from './web/notifications/open.ts'
import { openLogs } from './web/logs/open.ts'
import { openProcessServices } from './web/process-services.ts'
import type { Logger } from './core/contracts/log.ts'
import { createLogger } from './core/services/log.ts'
import { SiteBuilds } from './web/site/builds.ts'
import type { SiteHost } from './web/site/host.ts'
import { type BuiltSite, type LoadedSite, withoutEdits } from './web/site/load.ts'
import { editedModules } from './operate/releases/edits.ts'
import { releaseStore } from './operate/releases/open.ts'
import { TestRuns } from './tools/test-runs.ts'

// The stack locates errors in templates. Nested partials make it deep.
Error.stackTraceLimit = 50

/** Relative to dist/. */
const BIN = '../server/bin.mjs'

/** Milliseconds in which a worker that replaces another one warms up. */
const WARM_UP_TIME = 500
/** Milliseconds that an idle connection stays open in a fast stop: enough for a request that is already on its way. */
const FAST_STOP_IDLE_TIME = 50
/** Milliseconds between two checks whether a stopping worker has open requests left. */
const OPEN_REQUEST_CHECK_INTERVAL = 50

type StartMessage = Extract<ToWorker, { type: 'start' }>

interface RunningWorker {
  readonly listening: Listening
  readonly view: DevView | null
  readonly logger: Logger
  readonly health: Health
  readonly measures: ProcessMeasures | null
  /** Serves another build from the next request on; null for a site in development. @throws StartError */
  readonly swap: ((builtSite: BuiltSite) => Promise<void>) | null
  /** Answers a question of the supervisor. */
  answerSupervisor(message: Extract<ToWorker, { type: 'ask' }>): void
  /** Number of requests that wait until the replacement of this process is ready. */
  waiting(): number
  /** Disconnects from the database. */
  close(): Promise<void>
}

/** Resolves to null when the process was stopped before it listened. */
let running: Promise<RunningWorker | null> | null = null
let listens: Listening | null = null
let stopping = false
let endStart: () => void = () => undefined
/** Resolves to null when the process is asked to stop. */
const stopAsked = new Promise<null>((resolve) => {
  endStart = () => resolve(null)
})
/** The newest build in development. */
let build: DevBuild | null = null

const child: Child = { handle, stop, visit }
followSupervisor(child)

function visit(connection: Socket): void {
  if (listens === null) connection.destroy()
  else listens.handleConnection(connection)
}

async function handle(message: ChildMessage): Promise<void> {
  if (message.type === 'start') {
    running = start(message)
    await running
    return
  }
  if (message.type === 'built') build = mergeBuilds(build, message)
  // The `start` message above reports a failed start.
  const started = await running?.catch(() => null)
  const { view, listening } = started ?? { view: null, listening: null }
  if (message.type === 'drain') started?.health.drain()
  else if (message.type === 'ask') started?.answerSupervisor(message)
  else if (message.type === 'page') started?.measures?.receivePage(message)
  else if (message.type === 'site') await changeSite(started?.swap ?? null, message)
  else if (message.type === 'part') listening?.closeConnections(message.count)
  else if (message.type === 'built') await view?.built(message)
  else if (message.type === 'assets') view?.saved(message.assets)
  else if (message.type === 'checked') view?.checked(message)
  else view?.problems(message.text)
}

async function changeSite(
  swap: RunningWorker['swap'],
  { id, builtSite }: Extract<ToWorker, { type: 'site' }>,
): Promise<void> {
  const problem = await (swap?.(builtSite) ?? Promise.resolve()).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  sendToSupervisor({ type: 'serving', id, problem })
}

async function start({ site: work, settings, version, replaces }: StartMessage): Promise<RunningWorker | null> {
  const { environment, logLevel } = settings
  const logger = createLogger(logLevel, environment === 'development')
  handleUncaughtErrors(logger, child)
  const logs = openLogs(settings.databaseUrl, { environment, logger })
  const database = createDatabaseCheck(settings.databaseUrl, settings.replicaUrl)
  const measures = isMeasured(settings.observe) ? measureProcess(sendToSupervisor, database) : null
  const builds = new SiteBuilds(runtime)
  // Loaded without its edits, which need the database. So a build that cannot be loaded fails before anything is opened.
  const first = work.kind === 'built' ? await builds.load(withoutEdits(work.builtSite), async () => []) : null
  const release = first?.site.fingerprint ?? null
  // The served release. It may change while the process runs.
  const served = { release }
  const traces = startTraces(settings, { release, send: sendToSupervisor })
  const tracer = traces?.tracer ?? null
  const observer = createObserver(settings.observe, measures?.collector ?? null, tracer)
  const given = { settings, version, logger, log: logs, pool: settings.pool, chores: true, observer }
  const parts = await openProcessServices(given)
  const { files } = parts
  traces?.maskConstants(parts.facts.constants)
  /** The site whose queries the findings about recorded requests explain. */
  let explained: ExplainedSite | null = null
  const prepare = async (loadedSite: LoadedSite): Promise<TableIds> => {
    const ids = await parts.prepare(loadedSite)
    explained = { site: loadedSite.site, ids, sql: parts.store.sql }
    return ids
  }
  const index = isRecorded(settings) ? new RequestIndex(settings.dataFolder) : null
  const explainedSite = () => explained
  const recorded = index !== null && {
    requests: createRequestItems(index, siteFindings(index, explainedSite)),
    plan: recordedPlans(index, explainedSite),
  }
  const runs = new TestRuns({ settings, version, logger, log: logs, store: parts.store })
  const bin = fileURLToPath(new URL(BIN, import.meta.url))
  const releases =
    work.kind === 'built' && environment !== 'development'
      ? createSiteReleases({
          releases: releaseStore(settings, work.builtSite.root, parts.store.sql),
          sql: parts.store.sql,
          bin,
          root: work.builtSite.root,
        })
      : null
  // In production no page runs tests.
  const facts =
    environment === 'production'
      ? { ...parts.facts, ...(releases !== null && { running: { releases: () => releases.list() } }) }
      : {
          ...parts.facts,
          instead: runs.answer,
          running: {
            ...recorded,
            ...(work.kind === 'dev' && { problems: () => view?.found() ?? { items: [], checked: false } }),
          },
        }
  const load = (builtSite: BuiltSite): Promise<LoadedSite> =>
    builds.load(builtSite, (edits, after) => editedModules(parts.store.sql, edits, after))
  const studioFolder = fileURLToPath(new URL('./studio', import.meta.url))
  const thread = fileURLToPath(new URL('./job-thread.mjs', import.meta.url))
  const migrate = (site: CompiledSite, source: ThreadSite, wanted?: MigrateOptions['isSelected']) => {
    const given = { file: thread, source, settings, version }
    return migrateSite({
      sql: parts.store.sql,
      site,
      thread: given,
      logger,
      log: logs,
      ...(wanted && { isSelected: wanted }),
    })
  }
  const migrateAndReport = async (site: CompiledSite, source: ThreadSite): Promise<string | null> =>
    failedModulesNotice(await migrate(site, source))
  let news: string | null = null
  let handler: Handler
  let asset: NonNullable<ListenOptions['asset']>
  let takesBody: ListenOptions['takesBody']
  let storedBodies: ListenOptions['storedBodies']
  let answered: ListenOptions['answeredRequest']
  let closeTools = async (): Promise<void> => undefined
  let view: DevView | null = null
  let swap: RunningWorker['swap'] = null
  let waiting = (): number => 0
  let site = (): SiteHost | null => null
  const outbox = createOutboxPage(outboxFolder(settings.dataFolder))
  if (work.kind === 'built' && first !== null) {
    const loadedSite = work.builtSite.edits === undefined ? first : await load(work.builtSite)
    served.release = loadedSite.site.fingerprint
    const ids = await prepare(loadedSite)
    warnAboutHiddenPages(loadedSite.site, settings.observe, logger)
    news = await migrateAndReport(loadedSite.site, work)
    const studio = createEntrance(() => app, {
      folder: studioFolder,
      runtime,
      facts,
      ...(releases !== null && { releases }),
    })
    const instead: typeof studio.answer = (site, request) =>
      studio.answer(site, request) ?? facts.instead?.(site, request) ?? null
    let instance: InstanceApi | null = null
    const siteFiles: AppOptions['siteFiles'] = () => instance?.files ?? null
    const app = createApp(loadedSite, { ...facts, instead, siteFiles }, ids)
    // Warms up only if an old worker answers meanwhile.
    if (replaces === true) await app.warm(WARM_UP_TIME)
    site = () => app.host()
    const { handler: answer } = app
    let current = work.builtSite
    let renewed: (site: Extract<ThreadSite, { kind: 'built' }>) => void = () => undefined
    let changed: Promise<void> = Promise.resolve()
    const changeTo = async (builtSite: BuiltSite): Promise<void> => {
      const next = await load(builtSite)
      app.swap(next, await prepare(next))
      current = builtSite
      served.release = next.site.fingerprint
      renewed({ kind: 'built', builtSite })
    }
    // Builds are swapped one after the other, in the order of the messages.
    swap = (builtSite) => (changed = changed.catch(() => undefined).then(() => changeTo(builtSite)))
    const ownTakesBody = (request: Request): boolean => studio.takesBody(request) ?? app.takesBody(request)
    takesBody = ownTakesBody
    waiting = () => releases?.running() ?? 0
    asset = (request) => app.asset(request)
    // The outbox page is available wherever messages are kept in it, also without the compiler.
    handler =
      environment === 'development'
        ? async (request) => (await outbox.answer(request, answer)) ?? answer(request)
        : answer
    if (settings.instance) {
      const { openInstance } = await import('./tools/instance/open.ts')
      const opened = openInstance({
        parts,
        app: () => app,
        settings,
        version,
        logger,
        migrate: (wanted) => migrate(app.host().loadedSite.site, { kind: 'built', builtSite: current }, wanted),
        site: work,
        programs: { bin, thread },
        keep: logs.store,
      })
      instance = opened
      closeTools = opened.close
      renewed = opened.renew
      const other = handler
      handler = async (request) => (await opened.answer(request)) ?? other(request)
      takesBody = (request) => opened.takesBody(request) ?? ownTakesBody(request)
      storedBodies = opened.storedBodies
      answered = opened.answered
      waiting = () => opened.waiting() + (releases?.running() ?? 0)
    }
  } else {
    const root = work.kind === 'dev' ? work.root : work.builtSite.root
    // Imported here, so that other starts do not load what only development needs.
    const [
      { createDevView },
      { createGraphiql },
      { createLiveParts },
      { createDevTokens },
      { readVariables: inspect },
      { createStudio },
      { TypedTemplates },
      { createDocsPages },
    ] = await Promise.all([
      import('./tools/dev/view.ts'),
      import('./tools/dev/graphiql.ts'),
      import('./tools/dev/live-parts.ts'),
      import('./tools/dev/tokens.ts'),
      import('./tools/dev/variables.ts'),
      import('./tools/studio/studio.ts'),
      import('./tools/terminal/typed-templates.ts'),
      import('./tools/dev/docs.ts'),
    ])
    const tokens = createDevTokens()
    const graphiql = createGraphiql(fileURLToPath(new URL('./graphiql', import.meta.url)), tokens)
    const script = fileURLToPath(new URL('./live.js.gz', import.meta.url))
    const live = createLiveParts({ root, script, tokens, editor: settings.editor })
    const seed = seedOnce(root, parts.store.sql, logger)
    const typed = new TypedTemplates({ root, dataFolder: settings.dataFolder, bin, thread, keep: logs.store })
    closeTools = () => typed.close()
    const prepareAndSeed = async (loadedSite: LoadedSite): Promise<TableIds> => {
      const { site } = loadedSite
      const ids = await seed(site, await prepare(loadedSite))
      if (build === null) return ids
      typed.renew({ site: { kind: 'dev', root, build }, settings, version })
      const left = await migrateAndReport(site, { kind: 'dev', root, build })
      // Logged once, and again when the sentence changes.
      if (left !== null && left !== news) logger.warn({}, left)
      news = left
      return ids
    }
    // The author chooses the host in every environment (see `hostNames`).
    const developmentFacts = { ...facts, inspect, trusts: graphiql.accepts, lastingHost: (name: string) => name }
    const studio = createStudio({
      folder: studioFolder,
      runtime,
      facts,
      run: (content, host) => typed.run(content, host),
    })
    const opened = createDevView(
      root,
      runtime,
      developmentFacts,
      {
        prepare: prepareAndSeed,
        graphiql,
        outbox,
        docs: createDocsPages(bin, join(settings.dataFolder, 'docs')),
        studio,
      },
      live,
    )
    view = opened
    site = () => opened.host()
    handler = opened.handler
    asset = opened.asset
  }
  const health = createHealth({
    paths: { up: settings.observe.upPath, ready: settings.observe.readyPath },
    get release() {
      return served.release
    },
    migrated: () => news === null,
    unbuilt: () => view?.waits() === true,
    database,
    log: logger,
  })
  const close = async (): Promise<void> => {
    measures?.collector.flush()
    await Promise.all([closeTools(), runs.close()])
    await Promise.all([logs.close(), parts.close(), database.close(), traces?.close()])
  }
  const sockets = await Promise.race([borrowSockets(), stopAsked])
  if (sockets === null) {
    await close()
    return null
  }
  const { host, port, proxies, hosts, rate, bodyLimit } = settings
  const webSockets = new Channels({
    sql: parts.store.sql,
    bus: parts.bus,
    site: () => site(),
    isOwnHost: hosts.length === 0 ? () => false : hostFilter(hosts),
    bearer: (token) => parts.graphql.tokens.bearer(token),
  })
  const uploads = { folder: files.incoming, limit: settings.uploadLimit }
  const probes = createProbes(health, settings.observe.metrics, measures)
  const reporting = { log: logger, measures: measures?.collector ?? null, tracer }
  const read = {
    bodyLimit,
    uploads,
    isDevelopment: work.kind === 'dev' || environment === 'development',
    onUnconfiguredProxy: (found: UnconfiguredProxy) => reportUnnamedProxy(found, logger, logs.store),
    asset,
    webSockets,
    ...(takesBody && { takesBody }),
    ...(storedBodies && { storedBodies }),
    ...(answered && { answeredRequest: answered }),
  }
  const listening = await listen(handler, {
    ...{ host, port, sockets, proxies, hosts, rate, ...read, probes, ...reporting },
    get release() {
      return served.release
    },
  })
  listens = listening
  measures?.collector.gauge('webSockets', () => [{ labels: [], value: webSockets.size }])
  measures?.collector.gauge('connections', () => [{ labels: [], value: listening.connections() }])
  sendToSupervisor({ type: 'ready', port: listening.port, news })
  reportLoad(
    () => listening.connections(),
    (load) => sendToSupervisor({ type: 'load', ...load }),
  )
  const answerSupervisor = (message: Extract<ToWorker, { type: 'ask' }>): void =>
    void answerQuestion(message, database, measures, sendToSupervisor)
  return { listening, view, logger, health, measures, swap, answerSupervisor, waiting, close }
}

/** Returns a function that seeds the tables of a new site once. Errors in a seed are logged, and do not prevent serving. */
function seedOnce(root: string, sql: Sql, logger: Logger): (site: CompiledSite, ids: TableIds) => Promise<TableIds> {
  let done = false
  return async ({ data }, ids) => {
    if (done) return ids
    done = true
    try {
      const home = { root, data, ids, sql, close: async () => undefined }
      const { seedWhenEmpty } = await import('./web/transfer/seed.ts')
      const added = await seedWhenEmpty(home, (sentence) => logger.warn({}, sentence))
      if (added !== null) logger.info({}, `the tables were empty: ${added} rows of seed/ were added`)
    } catch (error) {
      logger.warn({}, `seed/ could not be read: ${error instanceof Error ? error.message : String(error)}`)
    }
    return ids
  }
}

async function stop(grace: number, patient: boolean, code: number): Promise<void> {
  if (stopping) return
  stopping = true
  endStart()
  // A failed start was already reported. A start that waits for a missing supervisor would never end, so the wait is limited.
  const ended = await Promise.race([running?.catch(() => null), sleep(grace, null, { ref: false })])
  const rest = setInterval(() => {
    if (ended && ended.listening.connections() <= ended.waiting()) sendToSupervisor({ type: 'resting' })
  }, OPEN_REQUEST_CHECK_INTERVAL)
  await ended?.listening.stop(grace, patient ? REUSE_TIME : FAST_STOP_IDLE_TIME)
  clearInterval(rest)
  // An unresponsive database is not waited for: it rolls back open transactions itself.
  await Promise.race([ended?.close().catch(() => undefined), sleep(1_000)])
  ended?.logger.flush(() => process.exit(code))
  setTimeout(() => process.exit(code), 500)
}
