/** Database functions that change jobs, for the `ingot jobs` command, templates, and anyone with write access. */
import { raw } from '../../../runtime/data/sql/sql.ts'

/**
 * `ingot.retry_jobs` restarts jobs that are neither running nor done, with all their attempts, and removes their failures.
 * `ingot.delete_jobs` deletes jobs that are not running. Both ignore rows that are not jobs of Ingot, and return the ids of the changed
 * jobs.
 * `ingot.returned_flags` returns the flags of a queued job, with a number of further interrupted runs. They are stored in the row of the
 * job,
 * so they change in the transaction that returns it to the queue. `ingot.keep_done_job` creates the record of a job in the transaction that
 * removes the job from the queue.
 * `ingot.jobs_now` returns the current rows of the view. A statement that calls the other functions would otherwise see the state before
 * them. The rows are JSON, so that the view can be replaced without dropping the function.
 */
export const FUNCTIONS = raw`
create or replace function ingot.returned_flags(flags jsonb, runs integer) returns jsonb language sql immutable as $$
  select coalesce(flags, '{}') || jsonb_build_object('ingot_returned', coalesce((flags ->> 'ingot_returned')::integer, 0) + runs)
$$;

create or replace function ingot.keep_done_job() returns trigger language plpgsql as $$
begin
  insert into ingot.done_jobs (job_id, priority, payload, attempts, max_attempts, returned, created_at, run_at, started_at)
  values (old.id, old.priority, old.payload, old.attempts, old.max_attempts, (old.flags ->> 'ingot_returned')::integer,
    old.created_at, old.run_at, old.locked_at)
  on conflict (job_id) do nothing;
  return null;
end $$;

-- The condition avoids the call for all other jobs.
create or replace trigger ingot_done after delete on graphile_worker._private_jobs for each row
when (old.flags ? 'ingot_returned') execute function ingot.keep_done_job();

create or replace function ingot.retry_jobs(job_ids bigint[]) returns setof bigint language sql as $$
  with again as (
    update graphile_worker._private_jobs set attempts = 0, last_error = null, run_at = now(), updated_at = now(),
      flags = case when flags ? 'ingot_returned'
        then ingot.returned_flags(flags, attempts - coalesce((flags ->> 'ingot_unused')::integer, 0)) else flags end - 'ingot_unused'
    where locked_at is null and id in (select id from ingot.jobs where id = any(job_ids))
    returning id
  ), forgotten as (
    delete from ingot.job_failures where job_id in (select id from again)
  ), told as (
    -- The queue's engine notifies the workers of new jobs only.
    select pg_notify('jobs:insert', '{"count":' || count(*) || '}') from again having count(*) > 0
  )
  select again.id from again left join told on true
$$;

create or replace function ingot.delete_jobs(job_ids bigint[]) returns setof bigint language sql as $$
  -- A deleted job leaves no record either.
  update graphile_worker._private_jobs set flags = flags - 'ingot_returned'
  where locked_at is null and flags ? 'ingot_returned' and id = any(job_ids);
  with gone as (
    delete from graphile_worker._private_jobs
    where locked_at is null and id in (select id from ingot.jobs where id = any(job_ids))
    returning id
  ), forgotten as (
    delete from ingot.job_failures where job_id in (select id from gone)
  ), done as (
    delete from ingot.done_jobs where job_id = any(job_ids) returning job_id
  )
  select gone.id from gone union all select done.job_id from done
$$;

create or replace function ingot.jobs_now(job_ids bigint[]) returns setof jsonb language plpgsql volatile as $$
begin
  return query select to_jsonb(j) from ingot.jobs j where j.id = any(job_ids);
end $$;
`
