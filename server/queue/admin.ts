/** What people do with jobs: look at them, have them run now, take them out. By the view `ingot.jobs`, and the functions beside it. */
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
    order by jobs.failed_at desc nulls last, jobs.priority, jobs.run_at, jobs.id limit $2::text::int`,
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

/** Has jobs begin at once that do not run, with all their attempts. @returns ids of those that do */
export function retryJobs(run: RunStatement, ids: readonly string[]): Promise<readonly string[]> {
  return changed(run, 'retry_jobs', ids)
}

/** Does the same with all dead ones. @returns their ids */
export async function retryDead(run: RunStatement): Promise<readonly string[]> {
  const dead = `array(select id from ingot.jobs where state = 'DEAD')`
  return idsOf(await run(`select r.id::text from ingot.retry_jobs(${dead}) as r(id) order by r.id`, []))
}

/** Takes jobs out of the queue that do not run. @returns ids of those that are gone */
export function deleteJobs(run: RunStatement, ids: readonly string[]): Promise<readonly string[]> {
  return changed(run, 'delete_jobs', ids)
}

async function changed(run: RunStatement, name: string, ids: readonly string[]): Promise<readonly string[]> {
  const numbers = ids.filter(isId)
  if (numbers.length === 0) return []
  const text = `select c.id::text from ingot.${name}(string_to_array($1::text, ',')::bigint[]) as c(id) order by c.id`
  return idsOf(await run(text, [numbers.join(',')]))
}

function idsOf(rows: Awaited<ReturnType<RunStatement>>): readonly string[] {
  return rows.map(([id]) => String(id))
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
