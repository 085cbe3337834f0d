/** A job thread: loads the site once, then executes jobs one after another. */
import { writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import * as runtime from '../../../../runtime/index.ts'
import { type App, createApp } from '../../../web/app.ts'
import type { TableIds } from '../../../web/app-options.ts'
import { createHotSite, type ModuleObserver } from '../../cluster/hot-site.ts'
import { watchedExports } from '../../../web/site/recorded.ts'
import { siteLog } from '../../../web/logs/open.ts'
import { openProcessServices, type ProcessServices } from '../../../web/process-services.ts'
import type { Logger, SiteLog } from '../../../core/contracts/log.ts'
import type { EndedSpan, Tracer } from '../../../core/contracts/tracer.ts'
import { type Collector, createCollector } from '../../observe/collector.ts'
import { RequestRecords } from '../../observe/kept-requests.ts'
import { isMeasured, isRecorded, createObserver } from '../../observe/observer.ts'
import { createProcessTracer } from '../../observe/traces.ts'
import { createLogger } from '../../../core/services/log.ts'
import { editedModules } from '../../releases/edits.ts'
import { type ReadEdits, SiteBuilds } from '../../../web/site/builds.ts'
import { type LoadedSite, withoutEdits } from '../../../web/site/load.ts'
import { StartError } from '../../../core/start-error.ts'
import { recordStart } from './call-starts.ts'
import type {
  FollowedBuild,
  ThreadAnswer,
  ThreadCall,
  ThreadData,
  ThreadNews,
  ThreadSite,
  ThreadStart,
  ThreadTask,
} from './calls.ts'
import { ownThread } from './cpu-wait.ts'
import { type Failure, toFailure, MissingCode } from '../task/failure.ts'
import { memoryWatch } from './memory.ts'
import { type QueuedJob, readJob } from '../task/request.ts'
import { runMigration, runTask, type TaskHost } from '../task/run-task.ts'
import { writeCode } from '../task/sent-code.ts'
import { runSent } from '../task/run-sent.ts'
import { recordedJob } from './recorded-job.ts'
import { createSentHost, type ServedSite } from './sent-host.ts'
import { lowerThreadPriority } from './priority.ts'

// The stack locates errors in templates. Nested partials make it deep.
Error.stackTraceLimit = 50

/** Database connections: a job runs one statement at a time, in addition to an open transaction. */
const POOL = 3

interface LoadedApp {
  readonly app: App
  ids: TableIds
  /** Number of the last build that the thread switched to. */
  followed: number
  readonly parts: ProcessServices
  readonly user: TaskHost['user']
  readonly special: SpecialJobs | null
}

/** Runs some kinds of jobs in a special way; returns null for all other jobs. */
export type SpecialJobs = (
  site: { readonly loadedSite: LoadedSite; readonly ids: TableIds },
  id: string,
  job: QueuedJob,
  seconds: number,
) => Promise<void> | null

/** The services of a thread that has opened its site. */
export interface OpenedThread extends Pick<ThreadStart, 'settings' | 'version'> {
  readonly logger: Logger
  readonly log: SiteLog
  readonly store: ProcessServices['store']
}

let createSpecialJobs: ((opened: OpenedThread) => SpecialJobs) | null = null

/** Registers a function that creates the handler of special jobs. */
export function onOpened(create: (opened: OpenedThread) => SpecialJobs): void {
  createSpecialJobs = create
}

lowerThreadPriority()
const thread = ownThread()

// Both values come from the code that started this thread, so they are not checked.
const { start, slots } = workerData as ThreadData & { readonly start: ThreadStart }
const memory = memoryWatch(start.settings.jobs.memory)
const logger = threadLogger(start)
const collector = collectorOf(start)
const records = isRecorded(start.settings)
  ? new RequestRecords((record) => sendToProcess({ kind: 'recorded', record }))
  : null
const tracer = tracerOf(start)
process.on('unhandledRejection', (reason) => {
  logger.error(
    { stack: reason instanceof Error ? reason.stack : String(reason) },
    'unhandled promise rejection in a job',
  )
})
const builds = new SiteBuilds(runtime)
/** Folder of code that belongs to jobs of sent templates. */
const sentFolder = join(resolve(start.settings.dataFolder, 'exec'), String(process.pid), `jobs-${threadId}`)
let sentCount = 0
let opened = begin()

/** Executes one call. Never rejects. */
export async function run({ task: call, slot, follows }: ThreadCall): Promise<ThreadAnswer> {
  let ready: LoadedApp
  try {
    ready = await openLatest(follows)
    if (follows !== null && follows.number > ready.followed) await switchBuild(ready, follows)
  } catch (error) {
    // The database may have been unreachable for a while, so the next call tries again.
    opened = opened.catch(begin)
    opened.catch(() => undefined)
    const reason = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error)
    return { kind: 'unready', sentence: reason ?? 'The site could not be loaded.' }
  }
  const waitedBefore = recordStart(slots, slot, thread)
  if (call.kind === 'warm') return { kind: 'done' }
  const { parts, user } = ready
  let host = ready.app.host()
  let folder: string | null = null
  let failure: Failure | null = null
  const span = call.kind === 'job' && call.trace !== undefined ? (tracer?.continueTrace(call.trace) ?? null) : null
  try {
    const task: TaskHost = {
      host,
      notifications: parts.notifications,
      sql: parts.store.sql,
      files: parts.files.service,
      user,
      span,
      cpuWait: () => thread.cpuWait() - waitedBefore,
      memory,
    }
    if (call.kind === 'sent') {
      host = await createSentHost(servedSite(ready), call.folder, call.unit)
      return { kind: 'done', printed: await runSent({ ...task, host }, call) }
    }
    if (call.kind === 'migration') await runMigration(task, call.name, call.seconds)
    else {
      const job = parseJob(call)
      const code = job.task.kind === 'unit' ? job.task.code : undefined
      if (code !== undefined) {
        folder = join(sentFolder, String(++sentCount))
        await writeCode(parts.store.sql, code, folder)
        host = await createSentHost(servedSite(ready), folder, null).catch(throwMissing)
      }
      const site = { loadedSite: host.loadedSite, ids: ready.ids }
      await (ready.special?.(site, call.id, job, call.seconds) ??
        runTask({ ...task, host }, call.id, job, call.seconds))
    }
    return { kind: 'done' }
  } catch (error) {
    failure = toFailure(error, host.services.locate)
    return { kind: 'failed', failure }
  } finally {
    if (call.kind === 'job') span?.recording?.answer(recordedJob(call, failure))
    // Removed only now, because a failure reads the source map in the folder.
    if (folder !== null) await rm(folder, { recursive: true, force: true })
    // Also ends parts of the span that an error left open.
    span?.end()
    // The thread may be ended before the timer of the collector fires.
    collector?.flush()
  }
}

/** Opens the site again if that failed before: with the latest build, because the build of the start may be gone. */
function openLatest(follows: FollowedBuild | null): Promise<LoadedApp> {
  if (follows !== null) {
    const { builtSite, number } = follows
    const openOther = async (): Promise<LoadedApp> => ({
      ...(await open({ ...start, site: { kind: 'built', builtSite } })),
      followed: number,
    })
    opened = opened.catch(openOther)
    opened.catch(() => undefined)
  }
  return opened
}

function begin(): Promise<LoadedApp> {
  const opening = open(start)
  // Every call that awaits it gets the error. Before the first call, the rejection must not be unhandled.
  opening.catch(() => undefined)
  return opening
}

function servedSite({ app, ids, parts }: LoadedApp): ServedSite {
  return { served: app.host().loadedSite, ids, parts, builds }
}

/** Throws MissingCode for code that another version of the runtime has compiled. */
function throwMissing(error: unknown): never {
  throw error instanceof StartError ? new MissingCode(error.message) : error
}

function parseJob({ payload }: Extract<ThreadTask, { kind: 'job' }>): QueuedJob {
  const job = readJob(payload)
  if (job === null) throw new MissingCode('this version of Ingot does not know the job: run it with a newer version')
  return job
}

async function open({ site, settings, version }: ThreadStart): Promise<LoadedApp> {
  // The process stores log entries, so that they survive the end of the thread.
  const log = siteLog({ environment: settings.environment, logger }, (row) => sendToProcess({ kind: 'log', row }))
  const observer = createObserver(settings.observe, collector, tracer)
  const opening = openProcessServices({ settings, version, logger, log, pool: POOL, chores: false, observer })
  try {
    const [whole, parts] = await Promise.all([load(site), opening])
    const loadedSite =
      site.kind === 'built' && site.builtSite.edits !== undefined
        ? await builds.load(site.builtSite, readEdits(parts))
        : whole
    const { accounts, constants } = parts.facts
    records?.maskConstants(constants)
    const ids = await parts.prepare(loadedSite)
    const app = createApp(loadedSite, parts.facts, ids)
    const special = createSpecialJobs?.({ settings, version, logger, log, store: parts.store }) ?? null
    return { app, ids, followed: 0, parts, user: async (id) => accounts?.user(id) ?? null, special }
  } catch (error) {
    // The next call tries again.
    const parts = await opening.catch(() => null)
    await parts?.close().catch(() => undefined)
    throw error
  }
}

function collectorOf({ settings }: ThreadStart): Collector | null {
  if (!isMeasured(settings.observe)) return null
  return createCollector({ report: (changes) => sendToProcess({ kind: 'measured', changes }) })
}

/** Creates the tracer. Each span is sent when it ends, because a thread can be ended at any moment. */
function tracerOf({ settings: { observe, environment } }: ThreadStart): Tracer | null {
  if (!observe.traces && records === null) return null
  const report = observe.traces ? (span: EndedSpan): void => sendToProcess({ kind: 'span', span }) : null
  return createProcessTracer(environment, report, records)
}

function sendToProcess(news: ThreadNews): void {
  parentPort?.postMessage(news)
}

/** Loads the site from a build without its edits. */
function load(site: ThreadSite): Promise<LoadedSite> {
  if (site.kind === 'built') return builds.load(withoutEdits(site.builtSite), async () => [])
  const observe: ModuleObserver = (_path, { file }, exports) =>
    file === null ? exports : watchedExports(file, exports)
  return createHotSite(site.root, runtime, records === null ? null : observe).update(
    site.build.entry,
    site.build.changedModules,
  )
}

/** Switches to another build. */
async function switchBuild(ready: LoadedApp, { builtSite, number }: FollowedBuild): Promise<void> {
  const { app, parts } = ready
  const loadedSite = await builds.load(builtSite, readEdits(parts))
  ready.ids = await parts.prepare(loadedSite)
  app.swap(loadedSite, ready.ids)
  ready.followed = number
}

function readEdits({ store }: ProcessServices): ReadEdits {
  return (edits, after) => editedModules(store.sql, edits, after)
}

/** Creates a logger that writes synchronously, because a thread can be ended at any moment. */
function threadLogger({ settings }: ThreadStart): Logger {
  return createLogger(settings.logLevel, settings.environment === 'development', { write: writeNow })
}

function writeNow(text: string): void {
  try {
    writeSync(1, text)
  } catch {
    // The output cannot be written, or not fast enough. The job must not fail because of that.
  }
}
