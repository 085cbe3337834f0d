/** Files of upload properties that were sent in archives, by the paths that rows use for them. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.sent_uploads (
  path text primary key,
  digest text not null references ingot.blobs,
  size bigint not null,
  sent_at timestamptz(3) not null default now()
);
`
