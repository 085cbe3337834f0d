/** Values of properties that no file declares. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- Stored separately from declared properties, so that reading and indexing those costs nothing more. Null in nearly all rows.
alter table ingot.records add column undeclared jsonb;
alter table ingot.users add column undeclared jsonb;
alter table ingot.profiles add column undeclared jsonb;
-- When a file declares a property, its stored values are looked up.
create index records_undeclared on ingot.records (table_id, id) where undeclared is not null;
create index users_undeclared on ingot.users (id) where undeclared is not null;
create index profiles_undeclared on ingot.profiles (profile_type, id) where undeclared is not null;
`
