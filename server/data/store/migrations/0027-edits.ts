/** Edits of releases: files and modules that replace those of the release. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
drop table ingot.site_state, ingot.site_modules, ingot.site_files;
-- An edit has the revision of the pointer that names it. An edit that no pointer names is not part of a site.
create table ingot.edited_files (
  release text not null,
  path text not null,
  revision bigint not null,
  -- Null for a removed file.
  digest text,
  size bigint,
  edited_at timestamptz(3) not null default now(),
  primary key (release, path, revision)
);
create table ingot.edited_modules (
  release text not null,
  path text not null,
  revision bigint not null,
  -- Null for a removed module.
  digest text,
  script text,
  -- The path and the source of its template.
  file text,
  source text,
  edited_at timestamptz(3) not null default now(),
  primary key (release, path, revision)
);
create index on ingot.edited_modules (release, revision);
create index on ingot.edited_files (digest);
`
