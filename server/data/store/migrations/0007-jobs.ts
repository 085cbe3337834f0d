/** Data about jobs that the queue's own tables lack, and the site's migrations that have run. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- The last failure of a job that is still in the queue. It is removed together with the job.
create table ingot.job_failures (
  job_id bigint primary key,
  -- The reason: error, timeout, memory, crash, missing.
  reason text not null,
  error_class text,
  message text not null,
  -- Locations in templates, innermost first: [{"path", "line"}].
  stack jsonb not null default '[]',
  -- How often its server ended while the job ran. An attempt was given back each time.
  crashes smallint not null default 0,
  failed_at timestamptz(3) not null default now()
);

-- Processes that run jobs, with their last heartbeat.
create table ingot.job_servers (
  -- Id of the pool in the queue. It is in locked_by of the jobs that the pool has taken.
  pool_id text primary key,
  seen_at timestamptz(3) not null default now()
);

create table ingot.site_migrations (
  name text primary key,
  -- done or error.
  state text not null,
  error text,
  ran_at timestamptz(3) not null default now()
);
`
