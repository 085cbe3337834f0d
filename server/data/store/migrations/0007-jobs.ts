/** Data about jobs besides the queue's own tables, and the site's migrations that have run. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- The last failure of a job that is still in the queue; goes with it.
create table ingot.job_failures (
  job_id bigint primary key,
  -- What ended it: error, timeout, memory, crash, missing.
  reason text not null,
  error_class text,
  message text not null,
  -- Places of templates, the innermost first: [{"path", "line"}].
  stack jsonb not null default '[]',
  -- Times that its server ended under it, for each of which an attempt was given back.
  crashes smallint not null default 0,
  failed_at timestamptz(3) not null default now()
);

-- Processes that run jobs, with their sign of life.
create table ingot.job_servers (
  -- Id of the pool in the queue: stands in locked_by of the jobs it has taken.
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
