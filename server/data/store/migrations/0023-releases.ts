/** Releases in the database, the active release, and the state of each server. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.releases (
  -- The digest of its manifest.
  id text primary key,
  -- The number of files, and their size.
  files integer not null,
  bytes bigint not null,
  -- The size of the archive.
  packed bigint not null,
  digest text not null,
  -- The names of its assets, when it is about to be activated.
  assets jsonb,
  pushed_at timestamptz(3) not null default now()
);
create table ingot.release_parts (
  release text not null references ingot.releases on delete cascade,
  number integer not null,
  bytes bytea not null,
  primary key (release, number)
);
-- The parts are already compressed.
alter table ingot.release_parts alter bytes set storage external;
create table ingot.active_release (
  single boolean primary key default true check (single),
  pointer jsonb not null,
  generation bigint not null generated always as ((pointer->>'generation')::bigint) stored,
  -- The active release cannot be removed.
  release text not null generated always as (pointer->>'release') stored references ingot.releases
);
alter table ingot.servers add column pid integer, add column follows jsonb;
`
