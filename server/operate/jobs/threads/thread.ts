/** A job thread: loads the site once, then executes one job after another. */
import { writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import * as runtime from '../../../../runtime/index.ts'
import { type App, createApp, type TableIds } from '../../../web/app.ts'
import { createHotSite } from '../../cluster/hot-site.ts'
import { siteLog } from '../../../web/logs/open.ts'
import { openProcessServices, type ProcessServices } from '../../../web/process-services.ts'
import type { Logger, SiteLog } from '../../../core/contracts/log.ts'
import type { Tracer } from '../../../core/contracts/tracer.ts'
import { type Collector, createCollector } from '../../observe/collector.ts'
import { isMeasured, observerOf } from '../../observe/observer.ts'
import { tracerFor } from '../../observe/traces.ts'
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
import { failureOf, MissingCode } from '../task/failure.ts'
import { memoryWatch } from './memory.ts'
import { type QueuedJob, readJob } from '../task/request.ts'
import { runMigration, runTask, type TaskHost } from '../task/run-task.ts'
import { writeCode } from '../task/sent-code.ts'
import { runSent } from '../task/run-sent.ts'
import { hostOfSent, type ServedParts } from './sent-host.ts'
import { yieldThread } from './yield.ts'

// Faults are located by their stack, and nested partials make it deep.
Error.stackTraceLimit = 50

/** Database connections: a job runs one statement at a time, besides an open transaction. */
const POOL = 3

interface LoadedApp {
  readonly app: App
  ids: TableIds
  /** The number of the build that it has followed last. */
  followed: number
  readonly parts: ProcessServices
  readonly user: TaskHost['user']
  readonly instead: OtherJobs | null
}

/** Does a job in another way than others are done; null for those others. */
export type OtherJobs = (
  site: { readonly loaded: LoadedSite; readonly ids: TableIds },
  id: string,
  job: QueuedJob,
  seconds: number,
) => Promise<void> | null

/** What is at hand when a thread has opened its site. */
export interface OpenedThread extends Pick<ThreadStart, 'settings' | 'version'> {
  readonly logger: Logger
  readonly log: SiteLog
  readonly store: ProcessServices['store']
}

let otherJobs: ((opened: OpenedThread) => OtherJobs) | null = null

/** Names who does some of the jobs in another way. */
export function onOpened(open: (opened: OpenedThread) => OtherJobs): void {
  otherJobs = open
}

yieldThread()
const thread = ownThread()

const { start: given, slots } = workerData as ThreadData
const start = given as ThreadStart
const memory = memoryWatch(start.settings.jobs.memory)
const logger = threadLogger(start)
const collector = collectorOf(start)
const tracer = tracerOf(start)
process.on('unhandledRejection', (reason) => {
  logger.error({ stack: reason instanceof Error ? reason.stack : String(reason) }, 'a promise of a job failed unseen')
})
const builds = new SiteBuilds(runtime)
/** For code that jobs bring with them. */
const sentFolder = join(resolve(start.settings.dataFolder, 'exec'), String(process.pid), `jobs-${threadId}`)
let sentCount = 0
let opened = begin()

/** Executes one call. Never rejects. */
export async function run({ task: call, slot, follows }: ThreadCall): Promise<ThreadAnswer> {
  let ready: LoadedApp
  try {
    ready = await openedFor(follows)
    if (follows !== null && follows.number > ready.followed) await follow(ready, follows)
  } catch (error) {
    // The database may have been unreachable for a while; the next call tries again.
    opened = opened.catch(begin)
    opened.catch(() => undefined)
    const why = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error)
    return { kind: 'unready', sentence: why ?? 'The site could not be loaded.' }
  }
  const waited = recordStart(slots, slot, thread)
  if (call.kind === 'warm') return { kind: 'done' }
  const { parts, user } = ready
  let host = ready.app.host()
  let folder: string | null = null
  const span = call.kind === 'job' && call.trace !== undefined ? (tracer?.goOn(call.trace) ?? null) : null
  try {
    const task: TaskHost = {
      host,
      notifications: parts.notifications,
      sql: parts.store.sql,
      files: parts.files.service,
      user,
      span,
      cpuWait: () => thread.cpuWait() - waited,
      memory,
    }
    if (call.kind === 'sent') {
      host = await hostOfSent(servedBy(ready), call.folder, call.unit)
      return { kind: 'done', printed: await runSent({ ...task, host }, call) }
    }
    if (call.kind === 'migration') await runMigration(task, call.name, call.seconds)
    else {
      const job = jobIn(call)
      const code = job.task.kind === 'unit' ? job.task.code : undefined
      if (code !== undefined) {
        folder = join(sentFolder, String(++sentCount))
        await writeCode(parts.store.sql, code, folder)
        host = await hostOfSent(servedBy(ready), folder, null).catch(asMissing)
      }
      const site = { loaded: host.loaded, ids: ready.ids }
      await (ready.instead?.(site, call.id, job, call.seconds) ??
        runTask({ ...task, host }, call.id, job, call.seconds))
    }
    return { kind: 'done' }
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error, host.services.locate) }
  } finally {
    // The map of the code is read when it fails.
    if (folder !== null) await rm(folder, { recursive: true, force: true })
    // Parts of it that an error left end here.
    span?.end()
    // The thread may be ended before its next turn to tell.
    collector?.flush()
  }
}

/** What the thread was started with may be gone, where another build has taken its place since. */
function openedFor(follows: FollowedBuild | null): Promise<LoadedApp> {
  if (follows !== null) {
    const { built, number } = follows
    const other = async (): Promise<LoadedApp> => ({
      ...(await open({ ...start, site: { kind: 'built', built } })),
      followed: number,
    })
    opened = opened.catch(other)
    opened.catch(() => undefined)
  }
  return opened
}

function begin(): Promise<LoadedApp> {
  const opening = open(start)
  // Every call that awaits it gets the failure; before the first one it must not be unhandled.
  opening.catch(() => undefined)
  return opening
}

function servedBy({ app, ids, parts }: LoadedApp): ServedParts {
  return { served: app.host().loaded, ids, parts, builds }
}

/** Another version of the runtime has compiled it. */
function asMissing(error: unknown): never {
  throw error instanceof StartError ? new MissingCode(error.message) : error
}

function jobIn({ payload }: Extract<ThreadTask, { kind: 'job' }>): QueuedJob {
  const job = readJob(payload)
  if (job === null) throw new MissingCode('this version of Ingot does not know what this job is')
  return job
}

async function open({ site, settings, version }: ThreadStart): Promise<LoadedApp> {
  // Stored by the process, so that entries survive the end of the thread.
  const log = siteLog({ environment: settings.environment, logger }, (row) => tellProcess({ kind: 'log', row }))
  const observer = observerOf(settings.observe, collector, tracer)
  const opening = openProcessServices({ settings, version, logger, log, pool: POOL, chores: false, observer })
  try {
    const [whole, parts] = await Promise.all([load(site), opening])
    const loaded =
      site.kind === 'built' && site.built.edits !== undefined ? await builds.load(site.built, readEdits(parts)) : whole
    const { accounts } = parts.facts
    const ids = await parts.prepare(loaded)
    const app = createApp(loaded, parts.facts, ids)
    const instead = otherJobs?.({ settings, version, logger, log, store: parts.store }) ?? null
    return { app, ids, followed: 0, parts, user: async (id) => accounts?.user(id) ?? null, instead }
  } catch (error) {
    // The next call tries again.
    const parts = await opening.catch(() => null)
    await parts?.close().catch(() => undefined)
    throw error
  }
}

function collectorOf({ settings }: ThreadStart): Collector | null {
  if (!isMeasured(settings.observe)) return null
  return createCollector({ tell: (changes) => tellProcess({ kind: 'measured', changes }) })
}

/** Each span is told when it ends, because a thread can be ended at any moment. */
function tracerOf({ settings: { observe, environment } }: ThreadStart): Tracer | null {
  return observe.traces ? tracerFor(environment, (span) => tellProcess({ kind: 'span', span })) : null
}

function tellProcess(news: ThreadNews): void {
  parentPort?.postMessage(news)
}

/** The site, in a build without its edits. */
function load(site: ThreadSite): Promise<LoadedSite> {
  if (site.kind === 'built') return builds.load(withoutEdits(site.built), async () => [])
  return createHotSite(site.root, runtime).update(site.build.entry, site.build.changed)
}

/** Takes over what the site has become. */
async function follow(ready: LoadedApp, { built, number }: FollowedBuild): Promise<void> {
  const { app, parts } = ready
  const loaded = await builds.load(built, readEdits(parts))
  ready.ids = await parts.prepare(loaded)
  app.swap(loaded, ready.ids)
  ready.followed = number
}

function readEdits({ store }: ProcessServices): ReadEdits {
  return (edits, after) => editedModules(store.sql, edits, after)
}

/** Written synchronously, because a thread can be ended at any moment. */
function threadLogger({ settings }: ThreadStart): Logger {
  return createLogger(settings.logLevel, settings.environment === 'development', { write: writeNow })
}

function writeNow(text: string): void {
  try {
    writeSync(1, text)
  } catch {
    // Nobody reads the output, or not fast enough; the job must not fail for that.
  }
}
