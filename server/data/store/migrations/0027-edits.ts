/** Edits of releases: the files and the modules that took the place of those that a release was made of. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
drop table ingot.site_state, ingot.site_modules, ingot.site_files;
-- An edit has the number of the pointer that names it. What no pointer has named is no part of a site.
create table ingot.edited_files (
  release text not null,
  path text not null,
  revision bigint not null,
  -- Null for a file that is gone.
  digest text,
  size bigint,
  edited_at timestamptz(3) not null default now(),
  primary key (release, path, revision)
);
create table ingot.edited_modules (
  release text not null,
  path text not null,
  revision bigint not null,
  -- Null for a module that is gone.
  digest text,
  script text,
  -- The template that it was made of, and its text.
  file text,
  source text,
  edited_at timestamptz(3) not null default now(),
  primary key (release, path, revision)
);
create index on ingot.edited_modules (release, revision);
create index on ingot.edited_files (digest);
`
