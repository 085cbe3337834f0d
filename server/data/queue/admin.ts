/** Administers jobs: lists, retries and deletes them, through the view `ingot.jobs` and its functions. */
import * as z from 'zod'
import { identifier, join, prepared, sql, type SqlStatement } from '../../../runtime/data/sql/sql.ts'
import { timeText } from '../../../runtime/data/query/rows/own-columns.ts'
import type { RunStatement } from './queue.ts'

export const STATES = ['SCHEDULED', 'RUNNING', 'RETRY', 'DEAD', 'DONE'] as const
export type JobState = (typeof STATES)[number]

/** A job as the view shows it. */
export interface JobRow {
  readonly id: string
  readonly state: JobState
  readonly queue: string
  readonly label: string | null
  readonly kind: string | null
  readonly unit: string | null
  /** JSON text. */
  readonly arguments: string
  readonly attempts: number
  readonly maxAttempts: number
  readonly crashes: number
  /** The number of runs: attempts, and runs that were interrupted for a reason outside of the job. */
  readonly runs: number
  /** ISO 8601 in UTC; null when it does not apply. */
  readonly createdAt: string
  readonly runAt: string
  readonly startedAt: string | null
  readonly failedAt: string | null
  readonly deadAt: string | null
  readonly doneAt: string | null
  readonly reason: string | null
  readonly errorClass: string | null
  readonly errorMessage: string | null
  /** Innermost location first. */
  readonly stack: readonly { readonly path: string; readonly line: number }[]
}

const COLUMNS = join([
  sql`id::text`,
  sql`state`,
  sql`queue`,
  sql`label`,
  sql`kind`,
  sql`unit`,
  sql`arguments::text`,
  sql`attempts::text`,
  sql`max_attempts::text`,
  sql`crashes::text`,
  timeText(sql`created_at`),
  timeText(sql`run_at`),
  timeText(sql`started_at`),
  timeText(sql`failed_at`),
  timeText(sql`dead_at`),
  sql`reason`,
  sql`error_class`,
  sql`error_message`,
  sql`stack::text`,
  sql`runs::text`,
  timeText(sql`done_at`),
])

const LIST = prepared<[state: JobState | null, limit: number]>(
  (state, limit) => sql`select ${COLUMNS} from ingot.jobs where ${state}::text is null or state = ${state}::text
    order by jobs.done_at desc nulls first, jobs.failed_at desc nulls last, jobs.priority, jobs.run_at, jobs.id limit ${limit}::text::int`,
)
const COUNT = prepared<[]>(() => sql`select state, count(*)::text from ingot.jobs group by state`)
const FIND = prepared<[id: string]>((id) => sql`select ${COLUMNS} from ingot.jobs where id = ${id}::text::bigint`)
const RETRY_DEAD = prepared<[]>(
  () =>
    sql`select r.id::text from ingot.retry_jobs(array(select id from ingot.jobs where state = 'DEAD')) as r(id) order by r.id`,
)
const RETRY = changeStatement('retry_jobs')
const DELETE = changeStatement('delete_jobs')

/** A call of a database function for a list of ids. */
function changeStatement(name: string): (ids: string) => SqlStatement {
  return prepared<[ids: string]>(
    (ids) =>
      sql`select c.id::text from ingot.${identifier(name)}(string_to_array(${ids}::text, ',')::bigint[]) as c(id) order by c.id`,
  )
}

/**
 * Lists jobs: first the latest failures, then the other jobs in the order in which they run, then finished jobs that may have run more than
 * once.
 * @param state null for all
 */
export async function listJobs(run: RunStatement, state: JobState | null, limit: number): Promise<readonly JobRow[]> {
  const rows = await run(LIST(state, limit))
  return rows.map(toJobRow)
}

/** The number of jobs in each state. */
export async function countJobs(run: RunStatement): Promise<ReadonlyMap<string, number>> {
  const rows = await run(COUNT())
  return new Map(rows.map(([state, count]) => [String(state), Number(count)]))
}

/** A job by id; null when there is none. */
export async function findJob(run: RunStatement, id: string): Promise<JobRow | null> {
  if (!isId(id)) return null
  const [row] = await run(FIND(id))
  return row === undefined ? null : toJobRow(row)
}

/**
 * Restarts jobs that are not running, with all their attempts.
 * @returns ids of the restarted jobs
 */
export function retryJobs(run: RunStatement, ids: readonly string[]): Promise<readonly string[]> {
  return changeJobs(run, RETRY, ids)
}

/**
 * Restarts all dead jobs.
 * @returns their ids
 */
export async function retryDead(run: RunStatement): Promise<readonly string[]> {
  return changedIds(await run(RETRY_DEAD()))
}

/**
 * Deletes jobs that are not running.
 * @returns ids of the deleted jobs
 */
export function deleteJobs(run: RunStatement, ids: readonly string[]): Promise<readonly string[]> {
  return changeJobs(run, DELETE, ids)
}

async function changeJobs(
  run: RunStatement,
  change: (ids: string) => SqlStatement,
  ids: readonly string[],
): Promise<readonly string[]> {
  const numbers = ids.filter(isId)
  if (numbers.length === 0) return []
  return changedIds(await run(change(numbers.join(','))))
}

function changedIds(rows: Awaited<ReturnType<RunStatement>>): readonly string[] {
  return rows.map(([id]) => String(id))
}

function isId(text: string): boolean {
  return /^\d{1,18}$/.test(text)
}

function toJobRow(row: readonly unknown[]): JobRow {
  const texts = row.map((value) => (value === null || value === undefined ? null : String(value)))
  const [id, state, queue, label, kind, unit, values, attempts, most, crashes, ...more] = texts
  const [created, runAt, started, failed, dead, reason, errorClass, errorMessage, stack, runs, done] = more
  return {
    id: id ?? '',
    state: STATES.find((known) => known === state) ?? 'SCHEDULED',
    queue: queue ?? 'default',
    label: label ?? null,
    kind: kind ?? null,
    unit: unit ?? null,
    arguments: values ?? 'null',
    attempts: Number(attempts),
    maxAttempts: Number(most),
    crashes: Number(crashes),
    runs: Number(runs),
    createdAt: created ?? '',
    runAt: runAt ?? '',
    startedAt: started ?? null,
    failedAt: failed ?? null,
    deadAt: dead ?? null,
    doneAt: done ?? null,
    reason: reason ?? null,
    errorClass: errorClass ?? null,
    errorMessage: errorMessage ?? null,
    stack: parseStack(stack ?? null),
  }
}

const stackSchema = z.array(z.object({ path: z.string(), line: z.number() }))

function parseStack(json: string | null): JobRow['stack'] {
  return json === null ? [] : stackSchema.parse(JSON.parse(json))
}
