/** What people do with jobs: look at them, try dead ones again, take them out. All statements work on the view `ingot.jobs`. */
import type { RunStatement } from './queue.ts'

export const STATES = ['SCHEDULED', 'RUNNING', 'RETRY', 'DEAD'] as const
export type JobState = (typeof STATES)[number]

/** A job as the view shows it. */
export interface JobRow {
  readonly id: string
  readonly state: JobState
  readonly queue: string
  readonly label: string | null
  readonly kind: string | null
  readonly unit: string | null
  /** JSON. */
  readonly arguments: string
  readonly attempts: number
  readonly maxAttempts: number
  readonly crashes: number
  /** ISO 8601, UTC; null where it does not apply. */
  readonly createdAt: string
  readonly runAt: string
  readonly startedAt: string | null
  readonly failedAt: string | null
  readonly deadAt: string | null
  readonly reason: string | null
  readonly errorClass: string | null
  readonly errorMessage: string | null
  /** The innermost first. */
  readonly stack: readonly { readonly path: string; readonly line: number }[]
}

const shown = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const COLUMNS = [
  'id::text',
  'state',
  'queue',
  'label',
  'kind',
  'unit',
  'arguments::text',
  'attempts::text',
  'max_attempts::text',
  'crashes::text',
  shown('created_at'),
  shown('run_at'),
  shown('started_at'),
  shown('failed_at'),
  shown('dead_at'),
  'reason',
  'error_class',
  'error_message',
  'stack::text',
].join(', ')

/** Lists jobs, those that failed last first, then in the order in which they run. @param state null for all */
export async function listJobs(run: RunStatement, state: JobState | null, limit: number): Promise<readonly JobRow[]> {
  const rows = await run(
    `select ${COLUMNS} from ingot.jobs where $1::text is null or state = $1::text
    order by failed_at desc nulls last, priority, run_at, id limit $2::text::int`,
    [state, limit],
  )
  return rows.map(rowOf)
}

/** How many there are of each state. */
export async function countJobs(run: RunStatement): Promise<ReadonlyMap<string, number>> {
  const rows = await run('select state, count(*)::text from ingot.jobs group by state', [])
  return new Map(rows.map(([state, count]) => [String(state), Number(count)]))
}

/** Null where there is none of that id. */
export async function findJob(run: RunStatement, id: string): Promise<JobRow | null> {
  if (!isId(id)) return null
  const [row] = await run(`select ${COLUMNS} from ingot.jobs where id = $1::text::bigint`, [id])
  return row === undefined ? null : rowOf(row)
}

/** Of jobs that are tried again: what they failed with is forgotten, and they begin at once with all their attempts. */
const RETRY = `
with again as (
  update graphile_worker._private_jobs set attempts = 0, last_error = null, run_at = now(), updated_at = now()
  where locked_at is null and id in (select id from ingot.jobs where state in ('DEAD', 'RETRY') and (id = $1::text::bigint or ($1::text is null and state = 'DEAD')))
  returning id
), forgotten as (
  delete from ingot.job_failures where job_id in (select id from again)
), told as (
  select pg_notify('jobs:insert', '{"count":' || count(*) || '}') from again having count(*) > 0
)
select again.id::text from again left join told on true order by again.id`

/** Queues a failed job again, or with null all dead ones. @returns their ids; none where it is not a failed one */
export async function retryJobs(run: RunStatement, id: string | null): Promise<readonly string[]> {
  if (id !== null && !isId(id)) return []
  const rows = await run(RETRY, [id])
  return rows.map(([each]) => String(each))
}

const DELETE = `
with gone as (
  delete from graphile_worker._private_jobs where locked_at is null
    and id in (select id from ingot.jobs where id = any(string_to_array($1::text, ',')::bigint[]))
  returning id
), forgotten as (
  delete from ingot.job_failures where job_id in (select id from gone)
)
select id::text from gone order by id`

/** Takes jobs out of the queue that do not run. @returns ids of those that are gone */
export async function deleteJobs(run: RunStatement, ids: readonly string[]): Promise<readonly string[]> {
  const numbers = ids.filter(isId)
  if (numbers.length === 0) return []
  const rows = await run(DELETE, [numbers.join(',')])
  return rows.map(([each]) => String(each))
}

function isId(text: string): boolean {
  return /^\d{1,18}$/.test(text)
}

function rowOf(row: readonly unknown[]): JobRow {
  const [id, state, queue, label, kind, unit, values, attempts, most, crashes, ...more] = row as readonly (
    | string
    | null
  )[]
  const [created, runAt, started, failed, dead, reason, errorClass, errorMessage, stack] = more
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
    createdAt: created ?? '',
    runAt: runAt ?? '',
    startedAt: started ?? null,
    failedAt: failed ?? null,
    deadAt: dead ?? null,
    reason: reason ?? null,
    errorClass: errorClass ?? null,
    errorMessage: errorMessage ?? null,
    stack: placesOf(stack ?? null),
  }
}

function placesOf(stack: string | null): JobRow['stack'] {
  // Written by ourselves.
  return stack === null ? [] : (JSON.parse(stack) as JobRow['stack'])
}
