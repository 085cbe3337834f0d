/** Runs the migrations of a site that have not run yet, before the site is served. */
import type { Sql } from 'postgres'
import type { CompiledSite } from '../../runtime/site.ts'
import type { Logs } from '../logs/open.ts'
import { type Logger, NOWHERE } from '../services/log.ts'
import type { ReadySettings } from '../settings.ts'
import { StartError } from '../start-error.ts'
import { failureOf } from '../store/failure.ts'
import { LOCKS } from '../store/locks.ts'
import type { ThreadSite } from './calls.ts'
import type { Failure } from './failure.ts'
import { keepMigrationError, pendingMigrations } from './migrations.ts'
import type { JobPool } from './pool.ts'

export interface MigrateOptions {
  readonly sql: Sql
  readonly site: CompiledSite
  readonly thread: {
    /** The module of a thread. */
    readonly file: string
    readonly source: ThreadSite
    readonly settings: ReadySettings
    readonly version: string
  }
  readonly logger: Pick<Logger, 'info' | 'error'>
  /** The log of the site. */
  readonly log: Pick<Logs, 'keep' | 'failed'>
}

/** Times that the connection of the lock may break; whatever breaks it oftener will break it again. */
const MOST_BREAKS = 3

/**
 * Runs what is pending, in order, each in a transaction. One server of a database does so; the others wait for it.
 * @throws StartError where one fails: those behind it have not run
 */
export async function migrateSite(options: MigrateOptions): Promise<void> {
  const { sql, site } = options
  for (let breaks = 0; (await pendingMigrations(sql, site)).length > 0; ) {
    let work: Promise<void> | null = null
    try {
      await sql.begin(async (transaction) => {
        await transaction`select pg_advisory_xact_lock(${LOCKS.site})`
        work = runPending(options)
        await work
      })
      return
    } catch (error) {
      if (failureOf(error)?.kind !== 'away' || ++breaks > MOST_BREAKS) throw error
      // The lock is lost with its connection. What it guarded goes on by itself, and what is done stays done: that is looked at again.
      const problem = await (work ?? Promise.resolve()).then(
        () => null,
        (failed: unknown) => ({ failed }),
      )
      if (problem !== null && (await pendingMigrations(sql, site)).length > 0) throw problem.failed
    }
  }
}

async function runPending({ sql, site, thread, logger, log }: MigrateOptions): Promise<void> {
  const names = await pendingMigrations(sql, site)
  if (names.length === 0) return
  // Most starts have none to run, so the threads are loaded here.
  const { createPool } = await import('./pool.ts')
  const { file, source, settings, version } = thread
  const { memory, seconds } = settings.jobs
  const pool = createPool({ file, start: { site: source, settings, version }, threads: 1, memory, keep: log.keep })
  try {
    for (const name of names) await runOne({ pool, sql, logger, log }, name, seconds.low)
  } finally {
    await pool.destroy()
  }
}

interface Running extends Pick<MigrateOptions, 'sql' | 'logger' | 'log'> {
  readonly pool: JobPool
}

async function runOne({ pool, sql, logger, log }: Running, name: string, seconds: number): Promise<void> {
  const begun = performance.now()
  const outcome = await pool.run({ kind: 'migration', name, seconds }, new AbortController().signal, seconds)
  if (outcome.kind === 'done') {
    logger.info({ migration: name }, `the migration ${name} is done (${Math.round(performance.now() - begun)} ms)`)
    return
  }
  if (outcome.kind === 'unready') throw new StartError(outcome.sentence)
  if (outcome.kind === 'ended') throw new StartError(`The migration ${name} was ended.`)
  const { failure } = outcome
  const why = sentenceOf(failure)
  log.failed({ type: failure.errorClass ?? failure.reason, message: failure.located, stack: failure.stack }, NOWHERE)
  await keepMigrationError(sql, name, why)
  throw new StartError(`The migration ${name} failed, and all of it is undone: ${why}`)
}

function sentenceOf({ message, stack }: Failure): string {
  const places = stack.map(({ path, line }) => `\n  at ${path}:${line}`).join('')
  const [innermost] = stack
  return innermost === undefined ? message : `${message} (${innermost.path}:${innermost.line})${places}`
}
