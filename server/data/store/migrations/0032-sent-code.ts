/** Code of templates that were sent to be rendered, for the jobs that they have queued. No build contains this code. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.sent_code (
  digest text primary key,
  code text not null,
  wanted_at timestamptz(3) not null default now()
);
`
