/** A job thread: loads the site once, then executes one job after another. */
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import * as runtime from '../../../runtime/index.ts'
import { type App, createApp } from '../../app.ts'
import { createHotSite } from '../../dev/hot-site.ts'
import { siteLog } from '../../logs/open.ts'
import { openParts, type ServerParts } from '../../parts.ts'
import type { Logger } from '../../contracts/log.ts'
import { type Collector, createCollector } from '../../observe/collector.ts'
import { THREAD_TRACER, threadSpan } from '../../observe/thread-spans.ts'
import { isMeasured, observerOf } from '../../observe/observer.ts'
import { createLogger } from '../../services/log.ts'
import { type LoadedSite, loadSite } from '../../site/load.ts'
import { StartError } from '../../start-error.ts'
import { recordStart } from './call-starts.ts'
import type { ThreadAnswer, ThreadCall, ThreadData, ThreadNews, ThreadSite, ThreadStart, ThreadTask } from './calls.ts'
import { ownThread } from './cpu-wait.ts'
import { failureOf, MissingCode } from '../task/failure.ts'
import { memoryWatch } from './memory.ts'
import { readJob } from '../task/request.ts'
import { runMigration, runTask, type TaskHost } from '../task/run-task.ts'
import { yieldThread } from './yield.ts'

// Faults are located by their stack, and nested partials make it deep.
Error.stackTraceLimit = 50

/** Database connections: a job runs one statement at a time, besides an open transaction. */
const POOL = 3

interface LoadedApp {
  readonly app: App
  readonly parts: ServerParts
  readonly user: TaskHost['user']
}

yieldThread()
const thread = ownThread()

const { start: given, slots } = workerData as ThreadData
const start = given as ThreadStart
const memory = memoryWatch(start.settings.jobs.memory)
const logger = threadLogger(start)
const collector = collectorOf(start)
process.on('unhandledRejection', (reason) => {
  logger.error({ stack: reason instanceof Error ? reason.stack : String(reason) }, 'a promise of a job failed unseen')
})
let opened = begin()

/** Executes one call. Never rejects. */
export async function run({ task: call, slot }: ThreadCall): Promise<ThreadAnswer> {
  let ready: LoadedApp
  try {
    ready = await opened
  } catch (error) {
    // The database may have been unreachable for a while; the next call tries again.
    opened = begin()
    const why = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error)
    return { kind: 'unready', sentence: why ?? 'The site could not be loaded.' }
  }
  recordStart(slots, slot, thread)
  if (call.kind === 'warm') return { kind: 'done' }
  const { app, parts, user } = ready
  const host = app.host()
  try {
    const task: TaskHost = {
      host,
      notifications: parts.notifications,
      sql: parts.store.sql,
      files: parts.files.service,
      user,
      span:
        call.kind === 'job' && call.trace !== undefined
          ? threadSpan(call.trace, (span) => tellProcess({ kind: 'span', span }))
          : null,
      cpuWait: cpuWaitFrom(thread.cpuWait()),
      memory,
    }
    if (call.kind === 'migration') await runMigration(task, call.name, call.seconds)
    else await runJob(task, call)
    return { kind: 'done' }
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error, host.services.locate) }
  } finally {
    // The thread may be ended before its next turn to tell.
    collector?.flush()
  }
}

function cpuWaitFrom(before: number): () => number {
  return () => thread.cpuWait() - before
}

function begin(): Promise<LoadedApp> {
  const opening = open(start)
  // Every call that awaits it gets the failure; before the first one it must not be unhandled.
  opening.catch(() => undefined)
  return opening
}

async function runJob(task: TaskHost, { id, payload, seconds }: Extract<ThreadTask, { kind: 'job' }>): Promise<void> {
  const job = readJob(payload)
  if (job === null) throw new MissingCode('this version of Ingot does not know what this job is')
  await runTask(task, id, job, seconds)
}

async function open({ site, settings, version }: ThreadStart): Promise<LoadedApp> {
  // Stored by the process, so that entries survive the end of the thread.
  const log = siteLog({ environment: settings.environment, logger }, (row) => tellProcess({ kind: 'log', row }))
  const observer = observerOf(settings.observe, collector, settings.observe.traces ? THREAD_TRACER : null)
  const opening = openParts({ settings, version, logger, log, pool: POOL, chores: false, observer })
  try {
    const [loaded, parts] = await Promise.all([load(site), opening])
    const { accounts } = parts.facts
    const app = createApp(loaded, parts.facts, await parts.prepare(loaded))
    return { app, parts, user: async (id) => accounts?.user(id) ?? null }
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

function tellProcess(news: ThreadNews): void {
  parentPort?.postMessage(news)
}

function load(site: ThreadSite): Promise<LoadedSite> {
  if (site.kind === 'built') return loadSite(site.built, runtime)
  return createHotSite(site.root, runtime).update(site.build.entry, site.build.changed)
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
