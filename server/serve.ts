/** `ingot serve`: runs a built site in several processes until it is told to stop. */
import { relative } from 'node:path'
import { type WorkerGroup, type ReadyWorker, type Supervisor, supervise } from './cluster/supervisor.ts'
import type { Logger } from './contracts/log.ts'
import { createLogger } from './services/log.ts'
import { type Database, openDatabase } from './database.ts'
import type { ReadySettings, Settings } from './settings.ts'
import { type BuiltSite, findBuilt } from './site/load.ts'

export interface ServeOptions {
  readonly dir: string
  /** Folder that `ingot build --out` wrote into. */
  readonly out?: string
  readonly settings: Settings
  readonly version: string
  /** File that a worker process runs. */
  readonly worker: string
  /** File that a process of jobs runs. */
  readonly jobWorker: string
  /** Answer no requests: only run jobs. */
  readonly jobsOnly?: boolean
  /** The database, where it is being opened already. */
  readonly database?: Promise<Database>
}

/** Serves until a signal stops it; resolves to the exit code. SIGHUP loads the site anew, worker by worker. @throws StartError */
export async function serve(options: ServeOptions): Promise<number> {
  const { dir, out } = options
  const logger = createLogger(options.settings.logLevel, options.settings.environment === 'development')
  const built = findBuilt(dir, out)
  const database = options.database ?? openDatabase(options.settings, built.root, logger)
  const settings = database.then((opened) => opened.settings)
  // The workers load their code while the database starts.
  const supervisor = superviseBuilt(options, built, settings, logger)
  // It is waited for in `serveWith`; where the database fails before, that is what is told.
  supervisor.ready.catch(() => undefined)
  try {
    await settings
  } catch (error) {
    supervisor.kill()
    throw error
  }
  try {
    return await serveWith(options, built, supervisor, logger)
  } finally {
    await (await database).close()
  }
}

function superviseBuilt(
  options: ServeOptions,
  built: BuiltSite,
  ready: Promise<ReadySettings>,
  logger: Logger,
): Supervisor {
  const { settings, version } = options
  const begin: WorkerGroup['begin'] = async () => [
    { type: 'start', work: { kind: 'built', built }, settings: await ready, version },
  ]
  const web: WorkerGroup = { exec: options.worker, count: settings.workers, begin, farewell: settings.grace * 1000 }
  const jobs = jobCrew(options.jobWorker, settings, begin)
  return supervise({
    crews: options.jobsOnly === true ? [jobs] : [web, jobs],
    log: logger,
    grace: settings.grace * 1000,
    silence: settings.silence * 1000,
  })
}

/** The process of jobs. One whose place was taken gets the time of the longest job. */
export function jobCrew(exec: string, { jobs }: Settings, begin: WorkerGroup['begin']): WorkerGroup {
  return { exec, count: jobs.threads === 0 ? 0 : 1, begin, farewell: jobs.seconds.low * 1000 }
}

async function serveWith(
  options: ServeOptions,
  built: BuiltSite,
  supervisor: Supervisor,
  logger: Logger,
): Promise<number> {
  const { settings } = options
  const stopped = untilStopped(supervisor)
  process.on('SIGHUP', () => void renew(options, supervisor, logger))
  const ready = await supervisor.ready
  const root = relative(process.cwd(), built.root) || '.'
  const jobs = settings.jobs.threads === 0 ? '' : `, ${settings.jobs.threads} jobs at once`
  if (options.jobsOnly === true) logger.info({}, `running the jobs of ${root}${jobs} (${settings.environment})`)
  else announce(logger, settings, ready, `serving ${root}, ${settings.workers} processes${jobs}`)
  if (ready.news !== null) logger.warn({}, ready.news)
  return stopped
}

/** Says where the server is. */
export function announce(logger: Logger, settings: Settings, ready: ReadyWorker, what: string): void {
  const url = `http://${hostInUrl(settings.host)}:${ready.port}`
  logger.info({ url, environment: settings.environment }, `${url}  ${what} (${settings.environment})`)
}

/** Milliseconds in which signals are one: a terminal sends Ctrl-C to all of its processes, and npm hands on what it gets. */
const ONE_SIGNAL = 1_000

/**
 * Resolves to the exit code when a signal has stopped the workers; a second signal ends them at once.
 * @param before called when the stop begins
 */
export function untilStopped(supervisor: Supervisor, before: () => void = () => undefined): Promise<number> {
  return new Promise((done) => {
    let asked: number | null = null
    const stop = (): void => {
      const now = performance.now()
      if (asked !== null) {
        if (now - asked < ONE_SIGNAL) return
        supervisor.kill()
        process.exit(1)
      }
      asked = now
      before()
      void supervisor.stop().then(() => done(0))
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}

async function renew(options: ServeOptions, supervisor: Supervisor, logger: Logger): Promise<void> {
  try {
    findBuilt(options.dir, options.out)
  } catch (error) {
    logger.error({}, error instanceof Error ? error.message : String(error))
    return
  }
  if (await supervisor.reload()) logger.info({}, 'the site was loaded anew')
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
