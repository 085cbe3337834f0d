/** What people and templates do with jobs, as functions of the database: whoever may write there changes jobs by these. */

/**
 * `ingot.retry_jobs`: jobs that do not run begin at once, with all their attempts before them; what they failed with is forgotten.
 * `ingot.delete_jobs`: takes jobs that do not run out of the queue.
 * Both leave alone what is no job of ours, and give the ids of those that were changed.
 *
 * `ingot.jobs_now`: the jobs of the view as they are when it is called: a statement that calls the others sees what was before.
 * They are JSON, so that the view can be made anew below the function.
 */
export const FUNCTIONS = `
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
