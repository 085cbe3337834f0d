/** The servers that share a database, by which they notice that they do not fit together. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.servers (
  id text primary key,
  host text not null,
  -- Of Ingot.
  version text not null,
  -- Tells two secrets apart, and neither of them.
  secret text not null,
  -- Where uploaded files are: the same text means the same place.
  files text not null,
  started_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);
`
