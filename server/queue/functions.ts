/** Database functions that change jobs, for the `ingot jobs` command, templates, and anyone with write access. */
import { raw } from '../../runtime/data/sql/sql.ts'

/**
 * `ingot.retry_jobs`: restarts jobs that are not running, with all their attempts, and removes their failures.
 * `ingot.delete_jobs`: deletes jobs that are not running. Both ignore rows that are no jobs of Ingot, and return the
 * ids of the changed jobs.
 *
 * `ingot.jobs_now`: the view's current rows. A statement that calls the other functions would otherwise see the state
 * before them. The rows are JSON, so that the view can be replaced without dropping the function.
 */
export const FUNCTIONS = raw`
create or replace function ingot.retry_jobs(job_ids bigint[]) returns setof bigint language sql as $$
  with again as (
    update graphile_worker._private_jobs set attempts = 0, last_error = null, run_at = now(), updated_at = now()
    where locked_at is null and id in (select id from ingot.jobs where id = any(job_ids))
    returning id
  ), forgotten as (
    delete from ingot.job_failures where job_id in (select id from again)
  ), told as (
    -- The engine tells those who run jobs of new ones only.
    select pg_notify('jobs:insert', '{"count":' || count(*) || '}') from again having count(*) > 0
  )
  select again.id from again left join told on true
$$;

create or replace function ingot.delete_jobs(job_ids bigint[]) returns setof bigint language sql as $$
  with gone as (
    delete from graphile_worker._private_jobs
    where locked_at is null and id in (select id from ingot.jobs where id = any(job_ids))
    returning id
  ), forgotten as (
    delete from ingot.job_failures where job_id in (select id from gone)
  )
  select gone.id from gone
$$;

create or replace function ingot.jobs_now(job_ids bigint[]) returns setof jsonb language plpgsql volatile as $$
begin
  return query select to_jsonb(j) from ingot.jobs j where j.id = any(job_ids);
end $$;
`
