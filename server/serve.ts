/** `ingot serve`: runs a built site in several processes until it is stopped. */
import { relative, resolve } from 'node:path'
import { statSync } from 'node:fs'
import { openBuild } from './builds/open-build.ts'
import {
  type WorkerGroup,
  type ReadyWorker,
  type ReloadFailure,
  type Supervisor,
  supervise,
} from './cluster/supervisor.ts'
import type { Logger } from './contracts/log.ts'
import { createLogger } from './services/log.ts'
import { createHub, type Hub } from './observe/hub.ts'
import { type OwnPort, openOwnPort } from './observe/own-port.ts'
import { isMeasured } from './observe/observer.ts'
import { introduce } from './doctor/start.ts'
import { listenError } from './listen-error.ts'
import { type Database, openDatabase } from './database.ts'
import type { ReadySettings, Settings } from './settings.ts'
import { type Follower, followReleases } from './releases/follow.ts'
import { shortId } from './releases/check.ts'
import { ReleaseFolder, releasesFolder } from './releases/folder.ts'
import { type BuiltSite, findBuilt } from './site/load.ts'
import { StartError } from './start-error.ts'

export interface ServeOptions {
  /** Folder of the site, or an archive of its build. */
  readonly dir: string
  /** Folder that `ingot build --out` wrote to. */
  readonly out?: string
  readonly settings: Settings
  readonly version: string
  /** Path of the file that a worker process runs. */
  readonly worker: string
  /** Path of the file that a job process runs. */
  readonly jobWorker: string
  /** Run only jobs, and answer no requests. */
  readonly jobsOnly?: boolean
  /** The database, when it is already being opened. */
  readonly database?: Promise<Database>
}

/**
 * Serves until a signal stops it; resolves to the exit code. SIGHUP reloads the site, worker by worker.
 * @throws StartError
 */
export async function serve(options: ServeOptions): Promise<number> {
  const logger = createLogger(options.settings.logLevel, options.settings.environment === 'development')
  const served = await openServed(options)
  const database = options.database ?? openDatabase(options.settings, served.built.root, logger)
  const settings = database.then((opened) => opened.settings)
  // Created here, so that workers load their code while the database starts.
  const hub = isMeasured(options.settings.observe) ? createHub(() => supervisor.processes()) : null
  const supervisor: Supervisor = superviseBuilt(options, served, settings, logger, hub)
  // Awaited in `serveWith`; when the database fails first, that error is reported instead.
  supervisor.ready.catch(() => undefined)
  try {
    await settings
  } catch (error) {
    supervisor.kill()
    throw error
  }
  try {
    return await serveWith(options, served, supervisor, logger, hub, await settings)
  } finally {
    await (await database).close()
  }
}

/** The build that new processes get; a signal may replace it. */
interface Served {
  built: BuiltSite
  /** Where the build is a release: all of them, and which it is. */
  readonly from: { readonly releases: ReleaseFolder; readonly release: string } | null
}

/** The active release of a folder that has one, or what was built there. @throws StartError */
async function openServed({ dir, out, settings }: ServeOptions): Promise<Served> {
  const isArchive = statSync(dir, { throwIfNoEntry: false })?.isFile() === true
  if (out === undefined && !isArchive) {
    const releases = new ReleaseFolder(releasesFolder(settings, dir))
    const now = await releases.current()
    if (now !== null) {
      const built = releases.built(now.release, resolve(dir))
      const { root } = findBuilt(dir, built.folder)
      return { built: { ...built, root }, from: { releases, release: now.release } }
    }
    if (settings.releases !== null)
      throw new StartError(
        `No release is active in '${releases.folder}': \`ingot release push BUILD\` keeps one, and \`ingot release activate ID\` has it served.`,
      )
  }
  return { built: await openBuild(dir, out, settings), from: null }
}

function superviseBuilt(
  options: ServeOptions,
  served: Served,
  ready: Promise<ReadySettings>,
  logger: Logger,
  hub: Hub | null,
): Supervisor {
  const { settings, version } = options
  const begin: WorkerGroup['begin'] = async () => [
    { type: 'start', site: { kind: 'built', built: served.built }, settings: await ready, version },
  ]
  const web: WorkerGroup = {
    name: 'web',
    exec: options.worker,
    count: settings.workers,
    begin,
    stopTime: settings.grace * 1000,
  }
  const jobs = jobGroup(options.jobWorker, settings, begin)
  return supervise({
    groups: options.jobsOnly === true ? [jobs] : [web, jobs],
    log: logger,
    grace: settings.grace * 1000,
    silence: settings.silence * 1000,
    drain: settings.observe.drain * 1000,
    observer: hub,
  })
}

/** The worker group of jobs. A replaced process gets as much time as the longest job. */
export function jobGroup(exec: string, { jobs }: Settings, begin: WorkerGroup['begin']): WorkerGroup {
  return { name: 'jobs', exec, count: jobs.threads === 0 ? 0 : 1, begin, stopTime: jobs.seconds.low * 1000 }
}

async function serveWith(
  options: ServeOptions,
  served: Served,
  supervisor: Supervisor,
  logger: Logger,
  hub: Hub | null,
  settings: ReadySettings,
): Promise<number> {
  const watched = await watchAt(settings, hub, logger).catch((error: unknown) => {
    supervisor.kill()
    throw error
  })
  let follower: Follower | null = null
  const stopped = untilStopped(supervisor, () => {
    hub?.drain()
    void follower?.stop()
  })
  process.on('SIGHUP', () => {
    if (served.from === null) void renew(options, served, supervisor, logger)
    else follower?.again()
  })
  const ready = await supervisor.ready
  follower = served.from === null ? null : follow(served, served.from, supervisor, logger)
  const name = served.built.name ?? (relative(process.cwd(), served.built.root) || '.')
  const jobs = settings.jobs.threads === 0 ? '' : `, ${settings.jobs.threads} jobs at once`
  const root = served.from === null ? name : `${name}, release ${shortId(served.from.release)}`
  if (options.jobsOnly === true) logger.info({}, `running the jobs of ${root}${jobs} (${settings.environment})`)
  else announce(logger, settings, ready, `serving ${root}, ${settings.workers} processes${jobs}`)
  if (ready.news !== null) logger.warn({}, ready.news)
  const presence = await introduce(options.settings, settings, options.version, logger)
  return stopped.finally(async () => {
    await presence?.close()
    await Promise.all([watched?.close(), follower?.stop()])
  })
}

function follow(served: Served, from: NonNullable<Served['from']>, supervisor: Supervisor, logger: Logger): Follower {
  const serveBuild = async (built: BuiltSite): Promise<ReloadFailure | null> => {
    const before = served.built
    served.built = built
    const failure = await supervisor.reload()
    if (failure === null) return null
    served.built = before
    if (failure.replaced > 0) await supervisor.reload()
    return failure
  }
  return followReleases({ ...from, root: served.built.root, serve: serveBuild, log: logger })
}

/** Opens the port of the metrics, where there is to be one. @throws StartError */
async function watchAt(settings: Settings, hub: Hub | null, logger: Logger): Promise<OwnPort | null> {
  const { observe, host } = settings
  const { port } = observe.metrics
  if (hub === null || port === null) return null
  try {
    const opened = await openOwnPort(host, port, observe, hub)
    logger.info({ port: opened.port }, `metrics are on port ${opened.port} at /metrics`)
    return opened
  } catch (error) {
    throw listenError(error, { host, port }, 'INGOT_METRICS_PORT')
  }
}

/** Logs the URL of the server. */
export function announce(logger: Logger, settings: Settings, ready: ReadyWorker, what: string): void {
  const url = `http://${hostInUrl(settings.host)}:${ready.port}`
  logger.info({ url, environment: settings.environment }, `${url}  ${what} (${settings.environment})`)
}

/**
 * Milliseconds in which repeated signals count as one: a terminal sends Ctrl-C to all its processes, and npm forwards
 * it again.
 */
const ONE_SIGNAL = 1_000

/**
 * Resolves to the exit code after a signal has stopped the workers; a second signal kills them.
 * @param before called when stopping begins
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

async function renew(options: ServeOptions, served: Served, supervisor: Supervisor, logger: Logger): Promise<void> {
  try {
    served.built = await openBuild(options.dir, options.out, options.settings)
  } catch (error) {
    logger.error({}, error instanceof Error ? error.message : String(error))
    return
  }
  if ((await supervisor.reload()) === null) logger.info({}, 'the site was loaded anew')
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
