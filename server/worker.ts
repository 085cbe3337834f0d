/** A process that serves: started by the supervisor, told by messages what to serve and when to stop. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Sql } from 'postgres'
import * as runtime from '../runtime/index.ts'
import type { CompiledSite } from '../runtime/site.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createApp, type TableIds } from './app.ts'
import { isToWorker, type ToSupervisor, type ToWorker, type Work } from './cluster/messages.ts'
import { seedWhenEmpty } from './data/seed.ts'
import { createDevView, type DevView } from './dev/view.ts'
import { createGraphiql } from './dev/graphiql.ts'
import { openFiles } from './files/open.ts'
import { openGraphql } from './graphql/process.ts'
import { readSecret } from './graphql/secrets.ts'
import { type Listening, listen } from './http/listen.ts'
import type { Handler } from './http/message.ts'
import { listenError } from './listen-error.ts'
import { createLogger, type Logger } from './services/log.ts'
import type { ReadySettings } from './settings.ts'
import { loadSite } from './site/load.ts'
import { StartError } from './start-error.ts'
import { openStore } from './store/store.ts'

// Faults are traced to their template by the stack, and partials call partials.
Error.stackTraceLimit = 50

interface Running {
  readonly listening: Listening
  readonly view: DevView | null
  readonly logger: Logger
  /** Leaves the database. */
  close(): Promise<void>
}

let running: Promise<Running> | null = null
let stopping = false

process.on('message', (message: unknown) => {
  if (isToWorker(message)) void obey(message)
})
// The terminal sends Ctrl-C to every process; the supervisor decides what follows from it.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => void stop(10_000, 0))
process.on('disconnect', () => void stop(2_000, 0))
setInterval(() => tell({ type: 'beat' }), 1_000).unref()
tell({ type: 'hello' })

async function obey(message: ToWorker): Promise<void> {
  if (message.type === 'start') {
    running = start(message.work, message.settings, message.version)
    await running.catch(fail)
    return
  }
  if (message.type === 'stop') return stop(message.grace, message.linger)
  const { view } = (await running) ?? { view: null }
  if (message.type === 'built') await view?.built(message.entry, message.changed)
  else view?.problems(message.text)
}

async function start(work: Work, settings: ReadySettings, version: string): Promise<Running> {
  const { environment, logLevel } = settings
  const logger = createLogger(logLevel, environment === 'development')
  guard(logger)
  const { databaseUrl: url, replicaUrl, pool } = settings
  const store = await openStore({ url, replicaUrl, pool, logger })
  const secret = readSecret(settings.secret, settings.dataFolder)
  const graphql = await openGraphql({ ...store, secret, apiToken: settings.apiToken, logger })
  const accounts = createAccounts({ statements: graphql.statements, secret, timeoutInMinutes: settings.sessionMinutes })
  const challenges = { recaptcha: settings.recaptchaUrl, hcaptcha: settings.hcaptchaUrl }
  const files = openFiles({ ...settings, sql: store.sql, secret, logger })
  const constants = (): ReturnType<typeof graphql.constants.all> => graphql.constants.all()
  const facts = { environment, version, constants, challenges, logger, graphql, accounts, files: files.desk }
  const prepare = async ({ data, indexes }: CompiledSite): Promise<TableIds> => (await store.prepare(data, indexes)).ids
  let handler: Handler
  let view: DevView | null = null
  if (work.kind === 'built') {
    const loaded = await loadSite(work.built, runtime)
    handler = createApp(loaded, facts, await prepare(loaded.site)).handler
  } else {
    const graphiql = createGraphiql(fileURLToPath(new URL('./graphiql', import.meta.url)))
    const sown = seedOnce(work.root, store.sql, logger)
    const prepareAndSeed = async (site: CompiledSite): Promise<TableIds> => sown(site, await prepare(site))
    view = createDevView(
      work.root,
      runtime,
      { ...facts, trusts: graphiql.accepts },
      { prepare: prepareAndSeed, graphiql },
    )
    handler = view.handler
  }
  const { host, port, proxies, bodyLimit } = settings
  try {
    const uploads = { folder: files.incoming, limit: settings.uploadLimit }
    const listening = await listen(handler, { host, port, proxies, bodyLimit, uploads, log: logger })
    const close = async (): Promise<void> => {
      files.close()
      await Promise.all([graphql.close(), store.close()])
    }
    tell({ type: 'ready', port: listening.port })
    return { listening, view, logger, close }
  } catch (error) {
    throw listenError(error, settings)
  }
}

/** Fills the tables of a new site from its seed. A seed with a mistake is its author's to mend, while the site is served. */
function seedOnce(root: string, sql: Sql, logger: Logger): (site: CompiledSite, ids: TableIds) => Promise<TableIds> {
  let done = false
  return async ({ data }, ids) => {
    if (done) return ids
    done = true
    try {
      const home = { root, data, ids, sql, close: async () => undefined }
      const added = await seedWhenEmpty(home, (sentence) => logger.warn({}, sentence))
      if (added !== null) logger.info({}, `the tables were empty: ${added} rows of seed/ were added`)
    } catch (error) {
      logger.warn({}, `seed/ could not be read: ${error instanceof Error ? error.message : String(error)}`)
    }
    return ids
  }
}

/** An error outside of any request: other requests may be half done, so they finish before the process ends. */
function guard(logger: Logger): void {
  process.on('unhandledRejection', (reason) => logger.error({ stack: stackOf(reason) }, 'a promise failed unseen'))
  process.on('uncaughtException', (error) => {
    logger.fatal({ stack: stackOf(error) }, error.message)
    void stop(5_000, 0, 1)
  })
}

function fail(error: unknown): void {
  const sentence = error instanceof StartError ? error.message : `The server failed to start: ${stackOf(error)}`
  // The process must not end before the supervisor has the sentence.
  if (process.send === undefined) process.exit(2)
  process.send({ type: 'failed', sentence } satisfies ToSupervisor, undefined, {}, () => process.exit(2))
}

async function stop(grace: number, linger: number, code = 0): Promise<void> {
  if (stopping) return
  stopping = true
  const ended = await running?.catch(() => null)
  await ended?.listening.stop(grace, linger)
  // The database undoes what is left open; nobody waits for one that does not answer.
  await Promise.race([ended?.close().catch(() => undefined), sleep(1_000)])
  ended?.logger.flush(() => process.exit(code))
  setTimeout(() => process.exit(code), 500)
}

function tell(message: ToSupervisor): void {
  if (process.connected) process.send?.(message)
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
