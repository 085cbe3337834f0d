/** Renewed locks of long-running jobs. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- The queue's engine releases jobs that are locked for four hours, so the locks of long jobs are renewed. This table has their start times.
create table ingot.job_renewals (
  job_id bigint primary key,
  started_at timestamptz not null,
  -- The lock time in the queue after the last renewal. A different time in the queue means that this row belongs to an earlier attempt.
  locked_at timestamptz not null
);
`
