/**
 * `ingot.jobs`: a stable view of the queue that hides the engine's tables. Anyone with access to the database may read
 * it.
 */
import { raw } from '../../runtime/data/sql/sql.ts'

/**
 * One row a job. `state` is SCHEDULED, RUNNING, RETRY or DEAD; `queue` the name of the priority; `label` the
 * `source_name`, or else what runs; `kind` as `JobTask.kind`; `unit` the name of the partial, form or notification;
 * `arguments` the passed values (jsonb); `crashes` the number of attempts that were given back; times are null when
 * they do not apply.
 */
export const VIEW = raw`
create or replace view ingot.jobs as
select
  j.id,
  case
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
  j.attempts,
  j.max_attempts,
  coalesce(f.crashes, 0) as crashes,
  j.created_at,
  j.updated_at,
  j.run_at,
  j.locked_at,
  coalesce(r.started_at, j.locked_at) as started_at,
  f.failed_at,
  case when j.locked_at is null and j.attempts >= j.max_attempts then coalesce(f.failed_at, j.updated_at) end as dead_at,
  case when j.locked_at is null and j.attempts < j.max_attempts and f.job_id is not null then j.run_at end as retry_at,
  f.reason,
  f.error_class,
  coalesce(f.message, j.last_error) as error_message,
  f.stack
from graphile_worker._private_jobs j
join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier in ('ingot', 'ingot_low')
cross join lateral (select
  j.payload #>> '{task,kind}' as kind,
  coalesce(j.payload #>> '{task,unit}', j.payload #>> '{task,name}', j.payload #>> '{task,form,name}') as unit
) what
left join ingot.job_failures f on f.job_id = j.id
left join ingot.job_renewals r on r.job_id = j.id and r.locked_at = j.locked_at
`
