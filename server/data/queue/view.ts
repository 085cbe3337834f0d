/**
 * `ingot.jobs`: a stable view of the queue that hides the engine's tables. Anyone with access to the database may read
 * it.
 */
import { raw } from '../../../runtime/data/sql/sql.ts'

/**
 * One row for each job. `state` is SCHEDULED, RUNNING, RETRY, DEAD, or DONE for a finished job that may have run more than once; other
 * finished jobs have no row. `runs` is the number of runs. `queue` is the name of the priority. `label` is the `source_name`, or otherwise
 * what runs. `kind` is `JobTask.kind`. `unit` is the name of the partial, form or notification. `arguments` contains the passed values
 * (jsonb). `attempts` is the number of attempts that were made. After a permanent failure, it is less than `max_attempts`. `crashes` is the
 * number of attempts that were given back. Times are null when they do not apply.
 */
export const VIEW = raw`
create or replace view ingot.jobs as
select
  j.id,
  case
    when j.done_at is not null then 'DONE'
    when j.locked_at is not null then 'RUNNING'
    when j.attempts >= j.max_attempts then 'DEAD'
    when f.job_id is not null then 'RETRY'
    else 'SCHEDULED'
  end as state,
  case when j.priority < 0 then 'high' when j.priority > 0 then 'low' else 'default' end as queue,
  j.priority,
  coalesce(nullif(j.payload #>> '{options,sourceName}', ''), what.unit, what.kind) as label,
  nullif(j.payload #>> '{options,sourceName}', '') as source_name,
  what.kind,
  what.unit,
  case what.kind when 'unit' then what.unit end as partial_name,
  case what.kind when 'callback' then what.unit end as form_name,
  j.payload #>> '{task,form,id}' as resource_id,
  (case what.kind
    when 'unit' then j.payload #> '{task,values}'
    when 'notification' then j.payload #> '{task,content}'
    else j.payload -> 'task'
  end)::jsonb as arguments,
  j.payload #>> '{origin,host}' as host,
  j.payload #>> '{origin,user}' as user_id,
  j.attempts - j.unused as attempts,
  j.max_attempts,
  coalesce(f.crashes, 0) as crashes,
  j.created_at,
  j.updated_at,
  j.run_at,
  j.locked_at,
  coalesce(r.started_at, j.started_at) as started_at,
  f.failed_at,
  case when j.waits and j.attempts >= j.max_attempts then coalesce(f.failed_at, j.updated_at) end as dead_at,
  case when j.waits and j.attempts < j.max_attempts and f.job_id is not null then j.run_at end as retry_at,
  f.reason,
  f.error_class,
  case
    when j.done_at is not null then
      'Done. It may have run up to ' || j.attempts + j.returned || ' times, because the process was stopped while it was running.'
    else coalesce(f.message, j.last_error)
  end as error_message,
  f.stack,
  j.attempts - j.unused + j.returned as runs,
  j.done_at
from (
  select q.id, q.priority, q.payload, q.attempts, q.max_attempts, q.created_at, q.updated_at, q.run_at, q.locked_at,
    q.locked_at as started_at, q.last_error, coalesce((q.flags ->> 'ingot_returned')::integer, 0) as returned,
    coalesce((q.flags ->> 'ingot_unused')::integer, 0) as unused,
    q.locked_at is null as waits, null::timestamptz as done_at
  from graphile_worker._private_jobs q
  join graphile_worker._private_tasks t on t.id = q.task_id and t.identifier in ('ingot', 'ingot_low')
  union all
  select d.job_id, d.priority, d.payload, d.attempts, d.max_attempts, d.created_at, d.done_at, d.run_at, null,
    d.started_at, null, d.returned, 0, false, d.done_at
  from ingot.done_jobs d
) j
cross join lateral (select
  j.payload #>> '{task,kind}' as kind,
  coalesce(j.payload #>> '{task,unit}', j.payload #>> '{task,name}', j.payload #>> '{task,form,name}') as unit
) what
left join ingot.job_failures f on f.job_id = j.id
left join ingot.job_renewals r on r.job_id = j.id and r.locked_at = j.locked_at
`
