/** Runs a site's pending migrations before the site is served. */
import type { Sql } from 'postgres'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import type { Logs } from '../../../web/logs/open.ts'
import { type Logger, NO_ORIGIN } from '../../../core/contracts/log.ts'
import type { ReadySettings } from '../../../core/settings.ts'
import { StartError } from '../../../core/start-error.ts'
import { failureOf } from '../../../data/store/failure.ts'
import { LOCKS } from '../../../data/store/locks.ts'
import type { ThreadSite } from '../threads/calls.ts'
import type { Failure } from '../task/failure.ts'
import { isDue, recordMigrationError, type MigrationState, migrationStates } from '../migration-states.ts'
import type { JobPool } from '../threads/pool.ts'

export interface MigrateOptions {
  readonly sql: Sql
  readonly site: CompiledSite
  readonly thread: {
    /** Path of the thread module. */
    readonly file: string
    readonly source: ThreadSite
    readonly settings: ReadySettings
    readonly version: string
  }
  readonly logger: Pick<Logger, 'info' | 'error'>
  /** The site's log. */
  readonly log: Pick<Logs, 'store' | 'failed'>
  /** Selects which of the migrations that are not done to run; by default those that are due (`isDue`). */
  readonly isSelected?: (migration: MigrationState) => boolean
}

/** Maximum number of times that the connection of the lock may be lost. After more losses, the cause counts as permanent. */
const MAX_LOST_CONNECTIONS = 3

/**
 * Runs the due migrations in order, each in a transaction. One server of a database runs them; the others wait. When a
 * module's migration fails, the following ones still run.
 * @returns the states of all of the site's migrations
 * @throws StartError when a migration of the app fails; the following ones have not run
 */
export async function migrateSite(options: MigrateOptions): Promise<readonly MigrationState[]> {
  const { sql, site } = options
  // Migrations that failed are not retried in this run.
  const tried = new Set<string>()
  const due = async (): Promise<readonly MigrationState[]> => {
    const isSelected = options.isSelected ?? isDue
    return (await migrationStates(sql, site)).filter(
      (migration) => migration.state !== 'done' && !tried.has(migration.name) && isSelected(migration),
    )
  }
  for (let lostConnections = 0; (await due()).length > 0; ) {
    let running: Promise<void> | null = null
    try {
      await sql.begin(async (transaction) => {
        await transaction`select pg_advisory_xact_lock(${LOCKS.site})`
        running = runDue(options, await due(), tried)
        await running
      })
      break
    } catch (error) {
      if (failureOf(error)?.kind !== 'away' || ++lostConnections > MAX_LOST_CONNECTIONS) throw error
      // The lock is lost with its connection. The migration itself continues, and a finished one stays done, so the states
      // are read again.
      const problem = await (running ?? Promise.resolve()).then(
        () => null,
        (failed: unknown) => ({ failed }),
      )
      if (problem !== null && (await due()).length > 0) throw problem.failed
    }
  }
  return migrationStates(sql, site)
}

async function runDue(
  { sql, thread, logger, log }: MigrateOptions,
  due: readonly MigrationState[],
  tried: Set<string>,
): Promise<void> {
  if (due.length === 0) return
  // Loaded here, because most starts have no migration to run.
  const { createPool } = await import('../threads/pool.ts')
  const { file, source, settings, version } = thread
  const { memory, seconds } = settings.jobs
  const pool = createPool({ file, start: { site: source, settings, version }, threads: 1, memory, storeLog: log.store })
  try {
    for (const migration of due) {
      await runMigration({ pool, sql, logger, log }, migration, seconds.low)
      tried.add(migration.name)
    }
  } finally {
    await pool.destroy()
  }
}

interface MigrationRun extends Pick<MigrateOptions, 'sql' | 'logger' | 'log'> {
  readonly pool: JobPool
}

async function runMigration(
  { pool, sql, logger, log }: MigrationRun,
  { name, optional }: MigrationState,
  seconds: number,
): Promise<void> {
  const startedAt = performance.now()
  const outcome = await pool.run({ kind: 'migration', name, seconds }, new AbortController().signal, seconds)
  if (outcome.kind === 'done') {
    logger.info({ migration: name }, `the migration ${name} has run (${Math.round(performance.now() - startedAt)} ms)`)
    return
  }
  if (outcome.kind === 'unready') throw new StartError(outcome.sentence)
  if (outcome.kind === 'ended') throw new StartError(`The migration ${name} was interrupted.`)
  const { failure } = outcome
  const reason = formatFailure(failure)
  log.failed({ type: failure.errorClass ?? failure.reason, message: failure.located, stack: failure.stack }, NO_ORIGIN)
  await recordMigrationError(sql, name, reason)
  const sentence = `The migration ${name} failed, and its changes were rolled back: ${reason}`
  if (!optional) throw new StartError(sentence)
  logger.error({ migration: name }, sentence)
}

/** Returns a notice about migrations that failed and were skipped; null when there are none. */
export function failedModulesNotice(states: readonly MigrationState[]): string | null {
  const left = states.filter(({ state, optional }) => state === 'error' && optional)
  if (left.length === 0) return null
  const [has, they] = left.length === 1 ? ['A migration of a module has', 'it'] : ['Migrations of modules have', 'them']
  const list = left.map(({ name, error }) => `\n  ${name}: ${error?.split('\n')[0] ?? ''}`).join('')
  return `${has} failed, and the site runs without ${they}. Run a migration again with \`ingot migrations retry NAME\`.${list}`
}

function formatFailure({ message, stack }: Failure): string {
  const stackLines = stack.map(({ path, line }) => `\n  at ${path}:${line}`).join('')
  const [innermost] = stack
  return innermost === undefined ? message : `${message} (${innermost.path}:${innermost.line})${stackLines}`
}
