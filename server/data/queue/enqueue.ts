/** Queues jobs by SQL in the caller's transaction. */
import { prepared, sql } from '../../../runtime/data/sql/sql.ts'
import { createHash } from 'node:crypto'
import { LiquidFault } from '../../../runtime/page/fault.ts'
import { MAX_CHAIN_LENGTH, type JobRequest } from '../../../runtime/data/jobs.ts'
import { MAX_DELAY } from '../../../runtime/page/tag-keywords.ts'
import { createHostReplacer } from './link-host.ts'
import { nameFlag, PRIORITIES, TASKS } from './names.ts'
import { serializeJob, taskName } from './payload.ts'
import type { Enqueue } from './queue.ts'

/** Minimum delay, in minutes, with which a job counts as the first of its chain. A chain with such delays cannot overload the queue. */
const NEW_CHAIN_DELAY = 1
/** Maximum length of a label in characters. */
const MAX_LABEL_LENGTH = 200

/** A shorter statement for a single job, which is the usual case. */
const QUEUE_ONE_JOB = prepared<
  [task: string, payload: string, delay: number | null, attempts: number, priority: number, flag: string]
>(
  (
    task,
    payload,
    delay,
    attempts,
    priority,
    flag,
  ) => sql`select (graphile_worker.add_job(${task}::text, ${payload}::text::json,
    run_at => clock_timestamp() + ${delay}::text::float8 * interval '1 minute',
    max_attempts => ${attempts}::text::int, priority => ${priority}::text::int, flags => array[${flag}::text])).id::text`,
)

const QUEUE_JOBS = prepared<[list: string]>(
  (list) => sql`select j.id::text, md5(j.payload::text) from graphile_worker.add_jobs(array(
    select row(s.task, s.payload, null, clock_timestamp() + s.delay * interval '1 minute', s.attempts, null, s.priority, array[s.flag])::graphile_worker.job_spec
    from json_to_recordset(${list}::text::json) as s(task text, payload json, delay float8, attempts int2, priority int2, flag text)
    )) j`,
)

/** A job ready to be stored. */
interface NewJob {
  readonly task: string
  /** JSON text. */
  readonly payload: string
  /** In minutes; null for no delay. */
  readonly delay: number | null
  readonly attempts: number
  readonly priority: number
  /** Marks the job by its name; see `nameFlag`. */
  readonly flag: string
}

/** Queues jobs with one statement; runs none for an empty list. */
export const enqueue: Enqueue = async (jobs, run) => {
  const newJobs = jobs.map(toNewJob)
  const [first, second] = newJobs
  if (first === undefined) return []
  if (second !== undefined) return enqueueMany(newJobs, run)
  const { task, payload, delay, attempts, priority, flag } = first
  const rows = await run(QUEUE_ONE_JOB(task, payload, delay, attempts, priority, flag))
  return rows.map(([id]) => String(id))
}

// The returned rows are in no particular order, so ids are matched by content. Equal jobs are interchangeable.
async function enqueueMany(newJobs: readonly NewJob[], run: Parameters<Enqueue>[1]): Promise<readonly string[]> {
  const list = newJobs.map(({ payload, ...fields }) => `${JSON.stringify(fields).slice(0, -1)},"payload":${payload}}`)
  const rows = await run(QUEUE_JOBS(`[${list.join(',')}]`))
  const ids = new Map<string, string[]>()
  for (const [id, hash] of rows) {
    const idsOfHash = ids.get(String(hash))
    if (idsOfHash === undefined) ids.set(String(hash), [String(id)])
    else idsOfHash.push(String(id))
  }
  return newJobs.map(({ payload }) => {
    const id = ids.get(createHash('md5').update(payload).digest('hex'))?.shift()
    if (id === undefined) throw new Error('The queue has stored a different payload.')
    return id
  })
}

function toNewJob(job: JobRequest): NewJob {
  const { delay, priority, maxAttempts, sourceName } = job.options
  if (!(delay >= 0 && delay <= MAX_DELAY))
    throw new LiquidFault(`a delay of ${delay} minutes is not possible: use a number from 0 to ${MAX_DELAY}`)
  const chainDepth = delay >= NEW_CHAIN_DELAY ? 1 : job.origin.depth
  if (chainDepth > MAX_CHAIN_LENGTH)
    throw new LiquidFault(
      `more than ${MAX_CHAIN_LENGTH} jobs in a row have queued one another without a delay: use a delay of at least one minute`,
    )
  const label = sourceName.replaceAll('\0', '').slice(0, MAX_LABEL_LENGTH)
  const { unverifiedHost: _, ...kept } = job.origin
  const stored = { ...job, origin: { ...kept, depth: chainDepth }, options: { ...job.options, sourceName: label } }
  return {
    task: TASKS[priority],
    payload: serializeJob(stored, createHostReplacer(job.origin)),
    delay: delay === 0 ? null : delay,
    attempts: maxAttempts,
    priority: PRIORITIES[priority],
    // PostgreSQL cannot store NUL.
    flag: nameFlag(taskName(job.task).replaceAll('\0', '')),
  }
}
