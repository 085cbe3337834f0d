/** Stops a server on a signal, and says what was stopped. */
import type { DatabaseEnd } from '../data/database.ts'
import type { Logger } from '../core/contracts/log.ts'
import type { Supervisor } from '../operate/cluster/model.ts'

/**
 * Milliseconds in which repeated signals count as one: a terminal sends Ctrl-C to all its processes, and npm forwards
 * it again. A person who presses a key twice takes longer, or presses it once more.
 */
const SIGNAL_REPEAT_TIME = 500

/** The process that started this one. */
const PARENT = process.ppid

/** Milliseconds between two looks at the parent process. */
const PARENT_INTERVAL = 500

/** Calls `act` when npx has ended, if it started this process. npx does not forward SIGTERM to the command that it runs. */
function whenNpxEnds(act: () => void): void {
  if (process.env['npm_command'] !== 'exec') return
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return
    clearInterval(timer)
    act()
  }, PARENT_INTERVAL).unref()
}

interface StopOptions {
  readonly supervisor: Supervisor
  readonly log: Logger
  /** Called when stopping begins. */
  readonly before?: () => void
  /** Whether SIGTERM waits for idle connections; false in development, where a browser is the only client. */
  readonly isPatient: boolean
}

/**
 * Resolves to the exit code after a signal has stopped the workers. A second signal kills them. A service manager sends SIGTERM:
 * the server waits until clients no longer use their idle connections. A person at a terminal sends SIGINT, and should not
 * wait for an idle browser: browsers repeat a request when an idle connection was closed.
 */
export function untilStopped({ supervisor, log, before, isPatient }: StopOptions): Promise<number> {
  return new Promise((done) => {
    let stoppedAt: number | null = null
    const stop = (patient: boolean, hint: string): void => {
      const now = performance.now()
      if (stoppedAt !== null) {
        if (now - stoppedAt < SIGNAL_REPEAT_TIME) return
        supervisor.kill()
        log.warn({}, 'ended at once: open requests and jobs were cut off')
        process.exit(1)
      }
      stoppedAt = now
      log.info({}, `stopping${hint}`)
      before?.()
      void supervisor.stop(patient).then(() => done(0))
    }
    process.on('SIGINT', () => stop(false, '; press Ctrl-C again to end at once'))
    process.on('SIGTERM', () => stop(isPatient, ''))
    whenNpxEnds(() => {
      if (stoppedAt === null) stop(isPatient, ', because npx has ended')
    })
  })
}

/**
 * Turns signals into an abort while a server is not running yet, so that a start that is broken off leaves nothing behind. A second
 * signal ends the process.
 */
export function catchSignals(): { readonly signal: AbortSignal; release(): void } {
  const abort = new AbortController()
  let stoppedAt = 0
  const stop = (): void => {
    const now = performance.now()
    if (!abort.signal.aborted) stoppedAt = now
    else if (now - stoppedAt >= SIGNAL_REPEAT_TIME) process.exit(1)
    abort.abort()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return { signal: abort.signal, release: () => void process.off('SIGINT', stop).off('SIGTERM', stop) }
}

/**
 * Says what was stopped, and whether the database goes on.
 * @param parts what ran in this command's processes, such as `the server`
 * @param database how its database ended
 * @returns such as `stopped the server, the jobs and the database`
 */
export function stoppedSentence(parts: readonly string[], database: DatabaseEnd): string {
  const all = database === 'stopped' ? [...parts, 'the database'] : parts
  const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : all.join('')
  return `stopped ${list}${database === 'in use' ? '; another command still uses the database' : ''}`
}
