/** Runs a process that executes queued requests. The supervisor starts it, and tells it in messages when to stop. */
import {
  handleUncaughtErrors,
  followSupervisor,
  sendToSupervisor,
  type Child,
  type ChildMessage,
} from '../../../operate/cluster/child.ts'
import type { Logger } from '../../../core/contracts/log.ts'
import { createLogger } from '../../../core/services/log.ts'
import type { ReadySettings } from '../../../core/settings.ts'

export interface WorkOptions {
  /** Folder of the site that the server was started with. */
  readonly root: string
  readonly settings: ReadySettings
  readonly version: string
  readonly logger: Logger
}

export interface WorkProcess {
  /** Stops. The current work is aborted, and repeated by the next process. */
  stop(): Promise<void>
}

/**
 * Runs a work process. Called once, by the entry of the process.
 * @param open starts the work; it may throw a StartError
 */
export function runWork(open: (options: WorkOptions) => Promise<WorkProcess>): void {
  let running: Promise<WorkProcess> | null = null
  let logger: Logger | null = null
  let stopping = false

  async function handle(message: ChildMessage): Promise<void> {
    if (message.type === 'ask') {
      const { id } = message
      sendToSupervisor({ type: 'answer', id, states: [], problem: null })
      return
    }
    if (message.type !== 'start' || message.site.kind !== 'built') return
    const { settings, version, site } = message
    logger = createLogger(settings.logLevel, settings.environment === 'development')
    handleUncaughtErrors(logger, child)
    running = open({ root: site.builtSite.root, settings, version, logger })
    await running
    sendToSupervisor({ type: 'ready', port: null, news: null })
  }

  async function stop(_grace: number, _patient: boolean, code: number): Promise<void> {
    if (stopping) return
    stopping = true
    const work = await running?.catch(() => null)
    // The next process repeats unfinished work.
    await work?.stop().catch(() => undefined)
    logger?.flush(() => process.exit(code))
    setTimeout(() => process.exit(code), 500)
  }

  const child: Child = { handle, stop }
  followSupervisor(child)
}
