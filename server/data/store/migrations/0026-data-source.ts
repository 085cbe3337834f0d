/** The identity of a database in export files. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.data_source (
  single boolean primary key default true check (single),
  key uuid not null default gen_random_uuid()
);
insert into ingot.data_source default values;
`
