/** The entry of a job process. The supervisor starts it, and tells it in messages which site to run and when to stop. */
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  handleUncaughtErrors,
  followSupervisor,
  sendToSupervisor,
  type Child,
  type ChildMessage,
} from '../cluster/child.ts'
import { type DevBuild, mergeBuilds } from '../cluster/messages.ts'
import { type JobProcess, startJobs } from './process.ts'
import type { Logger } from '../../core/contracts/log.ts'
import { createLogger } from '../../core/services/log.ts'

/** Milliseconds to wait for a start that is almost finished. */
const START_TIMEOUT = 1_000

/** Milliseconds to record the results of the jobs. */
const RECORD_TIME = 5_000

let running: Promise<JobProcess> | null = null
let logger: Logger | null = null
let stopping = false
let build: DevBuild | null = null

const child: Child = { handle, stop }
followSupervisor(child)

async function handle(message: ChildMessage): Promise<void> {
  if (message.type === 'start') {
    const { site: work, settings, version } = message
    logger = createLogger(settings.logLevel, settings.environment === 'development')
    handleUncaughtErrors(logger, child)
    const file = fileURLToPath(new URL('./job-thread.mjs', import.meta.url))
    running = startJobs({ site: work, settings, version, logger, file, send: sendToSupervisor })
    const jobs = await running
    sendToSupervisor({ type: 'ready', port: null, news: null })
    jobs.ended.catch((error: unknown) => {
      logger?.fatal({}, `jobs can no longer be run: ${error instanceof Error ? error.message : String(error)}`)
      void stop(5_000, false, 1)
    })
    return
  }
  if (message.type === 'ask') {
    const jobs = await running?.catch(() => null)
    jobs?.answer(message)
    return
  }
  if (message.type === 'site') {
    const jobs = await running?.catch(() => null)
    jobs?.swap(message.builtSite)
    sendToSupervisor({ type: 'serving', id: message.id, problem: null })
    return
  }
  if (message.type !== 'built') return
  build = mergeBuilds(build, message)
  // The `start` message above reports a failed start.
  const jobs = await running?.catch(() => null)
  jobs?.renew(build)
}

async function stop(grace: number, _patient: boolean, code: number): Promise<void> {
  // A process that is still starting has no job to finish.
  const jobs = await Promise.race([running?.catch(() => null), sleep(START_TIMEOUT, null, { ref: false })])
  // The supervisor is gone, so errors cannot be reported. Other servers recover jobs that were not given back.
  const stopped = jobs?.stop(grace).catch(() => undefined)
  if (stopping) return
  stopping = true
  // Other servers recover jobs that do not finish in time.
  await Promise.race([stopped, sleep(grace + RECORD_TIME, null, { ref: false })])
  logger?.flush(() => process.exit(code))
  setTimeout(() => process.exit(code), 500)
}
