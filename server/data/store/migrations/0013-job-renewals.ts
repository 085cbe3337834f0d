/** Renewed locks of long-running jobs. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- The engine of the queue takes away what has been locked for four hours, so such locks are renewed; here is since when they run.
create table ingot.job_renewals (
  job_id bigint primary key,
  started_at timestamptz not null,
  -- As it stands in the queue since the last renewal: where another time stands there, this is of an earlier attempt.
  locked_at timestamptz not null
);
`
