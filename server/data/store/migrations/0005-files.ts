/** Stored files, so that unreferenced ones can be found. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.files (
  -- The random part of its paths, by which references to the file are found.
  key text primary key check (key ~ '^[0-9a-f]{32}$'),
  path text not null,
  -- Paths of its image versions by their names.
  versions jsonb not null default '{}',
  content_type text not null,
  size bigint not null,
  created_at timestamptz(3) not null default now(),
  -- Since when no reference to it was found.
  unnamed_at timestamptz(3)
);
create index files_created_at on ingot.files (created_at);
`
