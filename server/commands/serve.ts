/** `ingot serve`: runs a built site in several processes until it is stopped. */
import { relative } from 'node:path'
import { type Follower, followReleases } from '../operate/activation/follow.ts'
import { openBuild } from '../operate/builds/open-build.ts'
import { BOUND_HEAP, MORE_INLINING } from '../operate/cluster/engine-flags.ts'
import type { WorkerGroup, ReadyWorker, ReloadFailure, Supervisor } from '../operate/cluster/model.ts'
import { supervise } from '../operate/cluster/supervisor.ts'
import type { Logger } from '../core/contracts/log.ts'
import { createLogger } from '../core/services/log.ts'
import { beginReleases } from '../tools/instance/deploys/first.ts'
import { type RenewParts, renewRelease } from '../tools/instance/deploys/renew.ts'
import { beginInstance } from '../tools/instance/identity.ts'
import type { Hub } from '../operate/observe/hub.ts'
import { type OwnPort, openOwnPort } from '../operate/observe/own-port.ts'
import type { TelemetryOptions } from '../operate/observe/sdk.ts'
import { createTelemetry, type Telemetry } from '../operate/observe/telemetry.ts'
import { serviceOf } from '../operate/cluster/messages.ts'
import { hasOthers, logFindings, present } from '../operate/doctor/start.ts'
import { freePort } from '../core/free-port.ts'
import { hostInUrl } from '../web/http/host-names.ts'
import { listenError } from '../core/listen-error.ts'
import { type Database, openDatabase } from '../data/database.ts'
import { noneActive, type Pointer, type Releases, shortId } from '../operate/releases/model.ts'
import { releaseBuild, releasesOf, servesRelease } from '../operate/releases/open.ts'
import type { ReadySettings, Settings } from '../core/settings.ts'
import { type BuiltSite, isEditOf, OtherFormat } from '../web/site/load.ts'
import { StartError } from '../core/start-error.ts'
import { startError } from '../data/store/connection.ts'
import type { ServerPresence } from '../data/store/servers.ts'
import { openStore } from '../data/store/store.ts'

/** Connections of the process that supervises, where releases are served. */
const RELEASE_POOL = 2

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
  /** Paths of the files that the processes run which make what is deployed, and take data in and hand it out, and of the `ingot` command. */
  readonly deploys?: { readonly worker: string; readonly transfers: string; readonly bin: string }
  /** Run only jobs, and answer no requests. */
  readonly jobsOnly?: boolean
  /** The database, when it is already being opened. */
  readonly database?: Promise<Database>
}

/**
 * Serves until a signal stops it; resolves to the exit code. SIGHUP reloads the site, worker by worker.
 * @throws StartError
 */
export async function serve(given: ServeOptions): Promise<number> {
  const { dir, out } = given
  const settings = await withPort(given.settings)
  const options = { ...given, settings }
  const logger = createLogger(settings.logLevel, settings.environment === 'development')
  const building = (settings.instance ? Promise.resolve(true) : servesRelease({ dir, out }, settings)).then(
    (isRelease) => (isRelease ? null : openBuild(dir, out, settings)),
  )
  const database = options.database ?? building.then((own) => openDatabase(settings, own?.root ?? dir, logger))
  const opening = Promise.all([building, database]).then(([own, opened]) =>
    openSite(options, { ...opened.settings, port: settings.port }, own, logger),
  )
  // Created here, so that workers load their code while the build is looked at and the database starts.
  const telemetry = createTelemetry(settings.observe, () => supervisor.processes())
  const supervisor: Supervisor = superviseBuilt(options, opening, logger, telemetry)
  // Awaited in `serveWith`; when the database fails first, that error is reported instead.
  supervisor.ready.catch(() => undefined)
  try {
    const opened = await opening.catch((error: unknown) => {
      supervisor.kill()
      throw error
    })
    try {
      return await serveWith(options, opened, supervisor, logger, telemetry)
    } finally {
      await opened.close()
    }
  } finally {
    // One that could not be opened has told why.
    await (await database.catch(() => null))?.close()
  }
}

interface ReadOptions {
  readonly releases: Releases
  readonly dir: string
  /** What makes a release anew; null where builds come from elsewhere. */
  readonly renew: RenewParts | null
  readonly presence: ServerPresence
  readonly logger: Logger
}

/** The build that a pointer names, or one of the same files that this server can read. @throws StartError */
async function readableBuild(
  { releases, dir, renew, presence, logger }: ReadOptions,
  now: Pointer,
): Promise<{ built: BuiltSite; release: string; revision: number }> {
  const { release, revision } = now
  try {
    return { built: await releaseBuild(releases, release, dir, revision), release, revision }
  } catch (error) {
    if (!(error instanceof OtherFormat) || renew === null) throw error
    const [other] = await presence.others()
    if (other !== undefined)
      throw new StartError(
        `${error.message.replace(/: run .*$/, '')}, and ${other.host} (Ingot ${other.version}) could not serve what this one makes of it: stop the other servers of this site first.`,
      )
    logger.info({ release }, `compiling release ${shortId(release)} anew: it was made by another version`)
    const named = await renewRelease(renew, now)
    if (named === null) throw error
    const built = await releaseBuild(releases, named.release, dir, named.revision)
    return { built, release: named.release, revision: named.revision }
  }
}

/** What is served, with what it needs. */
interface Opened {
  readonly settings: ReadySettings
  /** The build that new processes get; a signal, or another release, may replace it. */
  built: BuiltSite
  /** Where the build is a release: all of them, and which it is. */
  readonly from: { readonly releases: Releases; readonly release: string; readonly revision: number } | null
  /** What the other servers of the database see of this one; null where there are none. */
  readonly presence: ServerPresence | null
  close(): Promise<void>
}

/**
 * Opens what is to be served.
 * @param own what was built in the folder; null for the active release
 * @throws StartError
 */
async function openSite(
  { dir, settings: given, version, deploys }: ServeOptions,
  settings: ReadySettings,
  own: BuiltSite | null,
  logger: Logger,
): Promise<Opened> {
  if (own !== null) {
    const presence = hasOthers(given) ? present(settings, version) : null
    return { settings, built: own, from: null, presence, close: async () => presence?.close() }
  }
  const store = await openStore({ url: settings.databaseUrl, replicaUrl: null, pool: RELEASE_POOL, logger })
  const presence = present(settings, version)
  const close = async (): Promise<void> => {
    await presence.close()
    await store.close()
  }
  try {
    const releases = releasesOf(given, dir, store.sql)
    const token = settings.instance ? await beginInstance(store.sql) : null
    if (token !== null) process.stdout.write(firstToken(token))
    const place = (await releases.current())?.place ?? ''
    // Whoever activates another release from now on waits for this server.
    await presence.announceFollows({ place, release: null, generation: 0, problem: null })
    const isFirst = settings.instance && deploys !== undefined && (await releases.current()) === null
    const now = isFirst ? await beginReleases(releases, deploys.bin) : await releases.current()
    if (now === null) throw noneActive(releases)
    const renew =
      settings.instance && deploys !== undefined
        ? { sql: store.sql, releases, bin: deploys.bin, takesErrors: settings.takesErrors }
        : null
    const { built, release, revision } = await readableBuild({ releases, dir, renew, presence, logger }, now)
    await releases.tidy((sentence) => logger.warn({}, sentence))
    return { settings, built, from: { releases, release, revision }, presence, close }
  } catch (error) {
    await close()
    throw startError(error, null, 'DATABASE_URL')
  }
}

function superviseBuilt(
  options: ServeOptions,
  opening: Promise<Opened>,
  logger: Logger,
  { observer }: Telemetry,
): Supervisor {
  const { settings, version } = options
  const begin: WorkerGroup['begin'] = async (replaces) => {
    const { built, settings: ready } = await opening
    const site = { kind: 'built', built } as const
    return [{ type: 'start', site, settings: ready, version, replaces }]
  }
  const web: WorkerGroup = {
    name: 'web',
    exec: options.worker,
    count: settings.workers,
    flags: settings.instance ? [MORE_INLINING, BOUND_HEAP] : [MORE_INLINING],
    begin,
    stopTime: settings.grace * 1000,
  }
  const jobs = jobGroup(options.jobWorker, settings, begin)
  const { deploys } = options
  const work =
    deploys === undefined || !settings.instance
      ? []
      : [workGroup('deploys', deploys.worker, begin), workGroup('transfers', deploys.transfers, begin)]
  return supervise({
    ...(options.jobsOnly === true ? { groups: [jobs] } : { groups: [web, jobs, ...work], listen: addressOf(settings) }),
    log: logger,
    grace: settings.grace * 1000,
    silence: settings.silence * 1000,
    drain: settings.observe.drain * 1000,
    observer,
  })
}

/** Where the server listens. */
export function addressOf({ host, port }: Settings): Pick<Settings, 'host' | 'port'> {
  return { host, port }
}

/** Chooses the port where the settings leave it to the system, because links in mails name it before the server listens. */
async function withPort(settings: Settings): Promise<Settings> {
  if (settings.port !== 0) return settings
  // An address that cannot be listened on is reported by the supervisor.
  return { ...settings, port: await freePort(settings.host).catch(() => 0) }
}

/** The worker group of jobs. A replaced process gets as much time as the longest job. */
export function jobGroup(exec: string, { jobs }: Settings, begin: WorkerGroup['begin']): WorkerGroup {
  const count = jobs.threads === 0 ? 0 : 1
  return { name: 'jobs', exec, count, flags: [MORE_INLINING], begin, stopTime: jobs.seconds.low * 1000 }
}

/** The group of the one process that does what rows ask: of deploys, or of data. */
function workGroup(name: 'deploys' | 'transfers', exec: string, begin: WorkerGroup['begin']): WorkerGroup {
  return { name, exec, count: 1, begin, stopTime: 5_000, stays: true }
}

async function serveWith(
  options: ServeOptions,
  opened: Opened,
  supervisor: Supervisor,
  logger: Logger,
  telemetry: Telemetry,
): Promise<number> {
  const { settings, presence } = opened
  const failed = (error: unknown): never => {
    supervisor.kill()
    throw error
  }
  const { hub } = telemetry
  const watched = await watchAt(settings, hub, logger).catch(failed)
  await telemetry.begin(toldOf(options, opened, logger)).catch(failed)
  let follower: Follower | null = null
  const stopped = untilStopped(supervisor, () => {
    hub?.drain()
    void follower?.stop()
  })
  process.on('SIGHUP', () => {
    if (opened.from === null) void renew(options, opened, supervisor, logger)
    else follower?.again()
  })
  const ready = await supervisor.ready
  follower = follow(opened, supervisor, logger)
  const name = opened.built.name ?? (relative(process.cwd(), opened.built.root) || '.')
  const jobs = settings.jobs.threads === 0 ? '' : `, ${settings.jobs.threads} jobs at once`
  const root = opened.from === null ? name : `${name}, release ${shortId(opened.from.release)}`
  if (options.jobsOnly === true) logger.info({}, `running the jobs of ${root}${jobs} (${settings.environment})`)
  else announce(logger, settings, ready, `serving ${root}, ${settings.workers} processes${jobs}`)
  if (ready.news !== null) logger.warn({}, ready.news)
  const given = { ...options.settings, port: ready.port ?? options.settings.port }
  await logFindings(given, presence, logger, options.jobsOnly !== true)
  return stopped.finally(async () => {
    await Promise.all([watched?.close(), telemetry.close(), follower?.stop()])
  })
}

/** Null where no release is served. */
function follow(opened: Opened, supervisor: Supervisor, logger: Logger): Follower | null {
  const { from, presence } = opened
  if (from === null || presence === null) return null
  const serveBuild = async (built: BuiltSite): Promise<ReloadFailure | null> => {
    const before = opened.built
    opened.built = built
    const isEdit = isEditOf(built, before) && built.edits.revision !== before.edits?.revision
    if (isEdit || opened.settings.instance) {
      const problem = await supervisor.switchTo(built)
      if (problem === null) return null
      opened.built = before
      await supervisor.switchTo(before)
      return { reason: problem, replaced: 0 }
    }
    const failure = await supervisor.reload()
    if (failure === null) return null
    opened.built = before
    if (failure.replaced > 0) await supervisor.reload()
    return failure
  }
  return followReleases({ ...from, built: opened.built, serve: serveBuild, presence, log: logger })
}

/** The only time that it is shown. */
function firstToken(token: string): string {
  const lines = [
    'This server is new, and this is its first token, which may do everything. It is shown this once: keep it.',
    `  ${token}`,
    'More of them, which may do less, are made by `ingot token create --scope deploy`.',
  ]
  return `${lines.join('\n')}\n`
}

/** What a receiver is told of this server. */
function toldOf({ version, settings }: ServeOptions, { built, from }: Opened, log: Logger): TelemetryOptions {
  const service = serviceOf({ kind: 'built', built })
  return { service, version, release: from?.release ?? null, environment: settings.environment, log }
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
 * Resolves to the exit code after a signal has stopped the workers; a second signal kills them. SIGTERM comes from what
 * manages the server: it waits until clients no longer use their idle connections. SIGINT comes from a person at a
 * terminal, who should not wait for an idle browser: browsers send a request again when an idle connection was closed.
 * @param before called when stopping begins
 * @param isPatient whether SIGTERM waits so; in development it does not, where a browser is the only client
 */
export function untilStopped(
  supervisor: Supervisor,
  before: () => void = () => undefined,
  isPatient = true,
): Promise<number> {
  return new Promise((done) => {
    let asked: number | null = null
    const stop = (patient: boolean): void => {
      const now = performance.now()
      if (asked !== null) {
        if (now - asked < ONE_SIGNAL) return
        supervisor.kill()
        process.exit(1)
      }
      asked = now
      before()
      void supervisor.stop(patient).then(() => done(0))
    }
    process.on('SIGINT', () => stop(false))
    process.on('SIGTERM', () => stop(isPatient))
  })
}

async function renew(options: ServeOptions, opened: Opened, supervisor: Supervisor, logger: Logger): Promise<void> {
  try {
    opened.built = await openBuild(options.dir, options.out, options.settings)
  } catch (error) {
    logger.error({}, error instanceof Error ? error.message : String(error))
    return
  }
  if ((await supervisor.reload()) === null) logger.info({}, 'the site was loaded anew')
}
