/** Finished jobs that may have run more than once. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- A job that was returned to the queue while it ran, and finished later. The queue itself keeps no finished jobs.
create table ingot.done_jobs (
  job_id bigint primary key,
  priority smallint not null,
  payload json not null,
  attempts smallint not null,
  max_attempts smallint not null,
  -- Interrupted runs, which are not counted as attempts.
  returned integer not null,
  created_at timestamptz not null,
  run_at timestamptz not null,
  started_at timestamptz,
  done_at timestamptz not null default now()
);
create index on ingot.done_jobs (done_at);
`
