/** `ingot serve`: runs a built site in several processes until it is stopped. */
import { relative } from 'node:path'
import { type Follower, followReleases } from '../operate/activation/follow.ts'
import { openBuild } from '../operate/builds/open-build.ts'
import { BOUND_HEAP, MORE_INLINING } from '../operate/cluster/engine-flags.ts'
import type { WorkerGroup, ReadyWorker, ReloadFailure, Supervisor } from '../operate/cluster/model.ts'
import { supervise } from '../operate/cluster/supervisor.ts'
import type { Logger } from '../core/contracts/log.ts'
import { createLogger } from '../core/services/log.ts'
import { stoppedSentence, untilStopped } from './stopping.ts'
import { beginReleases } from '../tools/instance/deploys/first.ts'
import { type RenewContext, renewRelease } from '../tools/instance/deploys/renew.ts'
import { beginInstance } from '../tools/instance/identity.ts'
import type { Hub } from '../operate/observe/hub.ts'
import { type MonitoringPort, openMonitoringPort } from '../operate/observe/own-port.ts'
import type { TelemetryOptions } from '../operate/observe/sdk.ts'
import { createTelemetry, type Telemetry } from '../operate/observe/telemetry.ts'
import { serviceName } from '../operate/cluster/messages.ts'
import { hasOthers, logFindings, announcePresence } from '../operate/doctor/startup-checks.ts'
import { freePort } from '../core/free-port.ts'
import { hostInUrl } from '../web/http/host-names.ts'
import { listenError } from '../core/listen-error.ts'
import { type Database, type DatabaseEnd, openDatabase } from '../data/database.ts'
import { noActiveRelease, type Pointer, type Releases, shortId } from '../operate/releases/model.ts'
import { releaseBuild, releaseStore, servesRelease } from '../operate/releases/open.ts'
import type { ReadySettings, Settings } from '../core/settings.ts'
import { type BuiltSite, hasMails, hasPdfs, isEditOf, OtherFormat } from '../web/site/load.ts'
import { StartError } from '../core/start-error.ts'
import { startError } from '../data/store/connection.ts'
import type { ServerPresence } from '../data/store/servers.ts'
import { openStore } from '../data/store/store.ts'

/** Database connections of the supervising process when it serves releases. */
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
  /** Paths of the program that processes deploys, of the program that imports and exports data, and of the `ingot` command. */
  readonly deploys?: { readonly worker: string; readonly transfers: string; readonly bin: string }
  /** Run only jobs, and answer no requests. */
  readonly jobsOnly?: boolean
  /** The database, when the caller is already opening it. */
  readonly database?: Promise<Database>
  /** Called with the address of the server when it answers. */
  readonly answers?: (url: string) => void
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
  // Created here, so that workers load their code while the build is checked and the database starts.
  const telemetry = createTelemetry(settings.observe, () => supervisor.processes())
  const supervisor: Supervisor = superviseBuilt(options, opening, logger, telemetry)
  // `serveWith` awaits this promise. If the database fails first, its error is reported instead.
  supervisor.ready.catch(() => undefined)
  let code: number
  let end: DatabaseEnd = 'external'
  try {
    const opened = await opening.catch((error: unknown) => {
      supervisor.kill()
      throw error
    })
    try {
      code = await serveWith(options, opened, supervisor, logger, telemetry)
    } finally {
      await opened.close()
    }
  } finally {
    // A database that could not be opened was already reported.
    end = (await (await database.catch(() => null))?.close()) ?? end
  }
  logger.info({}, stoppedSentence(runningParts(settings, options.jobsOnly === true), end))
  return code
}

/** Returns the names of what a command runs, as `stoppedSentence` takes them. */
export function runningParts({ jobs }: Settings, jobsOnly = false): readonly string[] {
  return [...(jobsOnly ? [] : ['the server']), ...(jobs.threads === 0 ? [] : ['the jobs'])]
}

interface BuildReader {
  readonly releases: Releases
  readonly dir: string
  /** Recompiles a release; null where this server has no compiler. */
  readonly renew: RenewContext | null
  readonly presence: ServerPresence
  readonly logger: Logger
}

/** Returns the build of a pointer. A build in another version's format is compiled again. @throws StartError */
async function readableBuild(
  { releases, dir, renew, presence, logger }: BuildReader,
  now: Pointer,
): Promise<{ builtSite: BuiltSite; release: string; revision: number }> {
  const { release, revision } = now
  try {
    return { builtSite: await releaseBuild(releases, release, dir, revision), release, revision }
  } catch (error) {
    if (!(error instanceof OtherFormat) || renew === null) throw error
    const [other] = await presence.others()
    if (other !== undefined)
      throw new StartError(
        `${error.message.replace(/: run .*$/, '')}. Compiling it again would break ${other.host}, which runs Ingot ${other.version}: stop the other servers of this site first.`,
      )
    logger.info({ release }, `compiling release ${shortId(release)} again, because another version of Ingot made it`)
    const renewed = await renewRelease(renew, now)
    if (renewed === null) throw error
    const builtSite = await releaseBuild(releases, renewed.release, dir, renewed.revision)
    return { builtSite, release: renewed.release, revision: renewed.revision }
  }
}

/** The served site, with its settings and its connections. */
interface Opened {
  readonly settings: ReadySettings
  /** The build for new processes; a signal or another release may replace it. */
  builtSite: BuiltSite
  /** The releases and the served one; null when the build is not a release. */
  readonly from: { readonly releases: Releases; readonly release: string; readonly revision: number } | null
  /** The row of this server that other servers and `ingot release` read. */
  readonly presence: ServerPresence
  close(): Promise<void>
}

/**
 * Opens the site.
 * @param own the build in the folder; null to serve the active release
 * @throws StartError
 */
async function openSite(
  { dir, settings: given, version, deploys }: ServeOptions,
  settings: ReadySettings,
  own: BuiltSite | null,
  logger: Logger,
): Promise<Opened> {
  if (own !== null) {
    // Announced also without other servers, so that `ingot release activate` notices a server that follows no releases.
    // The embedded database is often a developer's, so `ingot test` may use it.
    const presence = announcePresence(
      hasOthers(given) ? settings : { ...settings, environment: 'development' },
      version,
    )
    return { settings, builtSite: own, from: null, presence, close: () => presence.close() }
  }
  const store = await openStore({ url: settings.databaseUrl, replicaUrl: null, pool: RELEASE_POOL, logger })
  const presence = announcePresence(settings, version)
  const close = async (): Promise<void> => {
    await presence.close()
    await store.close()
  }
  try {
    const releases = releaseStore(given, dir, store.sql)
    const token = settings.instance ? await beginInstance(store.sql) : null
    if (token !== null) process.stdout.write(formatFirstToken(token))
    const place = (await releases.current())?.place ?? ''
    // From now on, the activation of another release waits for this server.
    await presence.announceFollowState({ place, release: null, generation: 0, problem: null })
    const isFirst = settings.instance && deploys !== undefined && (await releases.current()) === null
    const now = isFirst ? await beginReleases(releases, deploys.bin) : await releases.current()
    if (now === null) throw noActiveRelease(releases)
    const renew =
      settings.instance && deploys !== undefined
        ? { sql: store.sql, releases, bin: deploys.bin, takesErrors: settings.takesErrors }
        : null
    const { builtSite, release, revision } = await readableBuild({ releases, dir, renew, presence, logger }, now)
    await releases.cleanUp((sentence) => logger.warn({}, sentence))
    return { settings, builtSite, from: { releases, release, revision }, presence, close }
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
    const { builtSite, settings: readySettings } = await opening
    const site = { kind: 'built', builtSite } as const
    return [{ type: 'start', site, settings: readySettings, version, replaces }]
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

/** Returns the address that the server listens on. */
export function addressOf({ host, port }: Settings): Pick<Settings, 'host' | 'port'> {
  return { host, port }
}

/** Chooses a free port when the port is 0, because links in mails contain it before the server listens. */
async function withPort(settings: Settings): Promise<Settings> {
  if (settings.port !== 0) return settings
  // The supervisor reports an address that cannot be listened on.
  return { ...settings, port: await freePort(settings.host).catch(() => 0) }
}

/** Returns the worker group of jobs. A replaced process may run for as long as the longest job. */
export function jobGroup(exec: string, { jobs }: Settings, begin: WorkerGroup['begin']): WorkerGroup {
  const count = jobs.threads === 0 ? 0 : 1
  return { name: 'jobs', exec, count, flags: [MORE_INLINING], begin, stopTime: jobs.seconds.low * 1000 }
}

/** Returns the group of the single process that works on queued deploys, or on imports and exports. */
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
  const metricsPort = await openMetricsPort(settings, hub, logger).catch(failed)
  await telemetry.begin(telemetryOptions(options, opened, logger)).catch(failed)
  let follower: Follower | null = null
  const before = (): void => {
    hub?.drain()
    void follower?.stop()
  }
  const stopped = untilStopped({ supervisor, log: logger, before, isPatient: true })
  process.on('SIGHUP', () => {
    if (opened.from === null) void reloadBuild(options, opened, supervisor, logger)
    else follower?.reload()
  })
  const readyWorker = await supervisor.ready
  follower = follow(opened, supervisor, logger)
  const name = opened.builtSite.name ?? (relative(process.cwd(), opened.builtSite.root) || '.')
  const jobs = settings.jobs.threads === 0 ? '' : `, ${settings.jobs.threads} jobs at once`
  const root = opened.from === null ? name : `${name}, release ${shortId(opened.from.release)}`
  if (options.jobsOnly === true) logger.info({}, `running the jobs of ${root}${jobs} (${settings.environment})`)
  else {
    const processes = settings.workers === 1 ? '1 process' : `${settings.workers} processes`
    const url = announce(logger, settings, readyWorker, `serving ${root}, ${processes}${jobs}`)
    options.answers?.(url)
  }
  if (readyWorker.news !== null) logger.warn({}, readyWorker.news)
  const given = { ...options.settings, port: readyWorker.port ?? options.settings.port }
  const sendsMails = settings.instance || hasMails(opened.builtSite)
  const duties = { takesRequests: options.jobsOnly !== true, sendsMails, printsPdfs: hasPdfs(opened.builtSite) }
  await logFindings(given, presence, logger, duties)
  return stopped.finally(async () => {
    await Promise.all([metricsPort?.close(), telemetry.close(), follower?.stop()])
  })
}

/** Follows the active release; returns null when the build is not a release. */
function follow(opened: Opened, supervisor: Supervisor, logger: Logger): Follower | null {
  const { from, presence } = opened
  if (from === null) return null
  const serveBuild = async (builtSite: BuiltSite): Promise<ReloadFailure | null> => {
    const before = opened.builtSite
    opened.builtSite = builtSite
    const isEdit = isEditOf(builtSite, before) && builtSite.edits.revision !== before.edits?.revision
    if (isEdit || opened.settings.instance) {
      const problem = await supervisor.switchTo(builtSite)
      if (problem === null) return null
      opened.builtSite = before
      await supervisor.switchTo(before)
      return { reason: problem, replaced: 0 }
    }
    const failure = await supervisor.reload()
    if (failure === null) return null
    opened.builtSite = before
    if (failure.replaced > 0) await supervisor.reload()
    return failure
  }
  return followReleases({ ...from, builtSite: opened.builtSite, serve: serveBuild, presence, log: logger })
}

/** Formats the message with the first token of an instance, which is shown only once. */
function formatFirstToken(token: string): string {
  const lines = [
    'This is the first token of this new server. It permits everything and is shown only once: keep it.',
    `  ${token}`,
    'Create tokens with fewer permissions with `ingot token create --scope deploy`.',
  ]
  return `${lines.join('\n')}\n`
}

/** Returns how this server identifies itself to the receiver of its telemetry. */
function telemetryOptions(
  { version, settings }: ServeOptions,
  { builtSite, from }: Opened,
  log: Logger,
): TelemetryOptions {
  const service = serviceName({ kind: 'built', builtSite })
  return { service, version, release: from?.release ?? null, environment: settings.environment, log }
}

/** Opens the port for metrics, if the settings have one. @throws StartError */
async function openMetricsPort(settings: Settings, hub: Hub | null, logger: Logger): Promise<MonitoringPort | null> {
  const { observe, host } = settings
  const { port } = observe.metrics
  if (hub === null || port === null) return null
  try {
    const opened = await openMonitoringPort(host, port, observe, hub)
    logger.info({ port: opened.port }, `metrics are on port ${opened.port} at /metrics`)
    return opened
  } catch (error) {
    throw listenError(error, { host, port }, 'INGOT_METRICS_PORT')
  }
}

/** Logs the URL of the server, and returns it. */
export function announce(logger: Logger, settings: Settings, readyWorker: ReadyWorker, what: string): string {
  const url = `http://${hostInUrl(settings.host)}:${readyWorker.port}`
  logger.info({ url, environment: settings.environment }, `${url}  ${what} (${settings.environment})`)
  return url
}

async function reloadBuild(
  options: ServeOptions,
  opened: Opened,
  supervisor: Supervisor,
  logger: Logger,
): Promise<void> {
  try {
    opened.builtSite = await openBuild(options.dir, options.out, options.settings)
  } catch (error) {
    logger.error({}, error instanceof Error ? error.message : String(error))
    return
  }
  if ((await supervisor.reload()) === null) logger.info({}, 'the site was reloaded')
}
