/** Counts the jobs in the queue, for monitoring. */
import { prepared, sql } from '../../../runtime/data/sql/sql.ts'
import { TASKS } from './names.ts'
import type { RunStatement } from './queue.ts'

export interface QueueDepth {
  /** Jobs that are due and that no server has taken yet. */
  readonly waiting: number
  readonly delayed: number
  readonly running: number
  readonly dead: number
  /** Seconds since the oldest waiting job became due; 0 without any. */
  readonly oldest: number
}

const DEPTH = prepared<[task: string, low: string]>(
  (task, low) => sql`select
    count(*) filter (where due)::text,
    count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now())::text,
    count(*) filter (where locked_at is not null)::text,
    count(*) filter (where locked_at is null and attempts >= max_attempts)::text,
    coalesce(extract(epoch from now() - min(run_at) filter (where due)), 0)::text
  from (
    select j.*, j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now() as due
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier in (${task}::text, ${low}::text)
  ) j`,
)

/** Counts the jobs of the queue. */
export async function queueDepth(run: RunStatement): Promise<QueueDepth> {
  const [row = []] = await run(DEPTH(TASKS.default, TASKS.low))
  const [waiting = 0, delayed = 0, running = 0, dead = 0, oldest = 0] = row.map(Number)
  return { waiting, delayed, running, dead, oldest }
}
