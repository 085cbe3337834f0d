/** The site's declarations other than its tables, as last applied. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- One row. The digest covers everything that is declared; while it stays the same, nothing needs to be compared.
create table ingot.declared (
  single boolean primary key default true check (single),
  digest text not null,
  -- Properties of all users, and of profiles by their type, as in ingot.tables.properties.
  user_properties jsonb not null,
  profile_properties jsonb not null,
  updated_at timestamptz(3) not null default now()
);
`
