/** The servers that share a database, so that they can detect incompatible configurations. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.servers (
  id text primary key,
  host text not null,
  -- The version of Ingot.
  version text not null,
  -- A digest that differs between secrets and reveals none of them.
  secret text not null,
  -- The location of uploaded files. Equal texts mean the same location.
  files text not null,
  started_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);
`
