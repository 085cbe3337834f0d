/** The contents of a deployed site: its files by content, deploy requests, and modules that edits have replaced. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- Files of sites, archives and uploads. Each is stored once, by the digest of its bytes.
create table ingot.blobs (
  digest text primary key,
  size bigint not null,
  -- A blob without references is removed a day after its last use.
  wanted_at timestamptz(3) not null default now()
);
create table ingot.blob_parts (
  digest text not null references ingot.blobs on delete cascade,
  number integer not null,
  bytes bytea not null,
  primary key (digest, number)
);
-- The files of the active site.
create table ingot.site_files (
  path text primary key,
  digest text not null references ingot.blobs,
  size bigint not null,
  updated_at timestamptz(3) not null default now()
);
-- Requests to a server, and their results.
create table ingot.deploys (
  id bigint primary key generated always as identity,
  kind text not null,
  status text not null default 'ready_for_import',
  request jsonb not null,
  -- Data that the client receives in addition to the status.
  result jsonb not null default '{}',
  -- The resulting list of files: digests by path.
  files jsonb,
  release text,
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
create index on ingot.deploys (id) where status in ('ready_for_import', 'in_progress');
-- Assets that were sent but are not in a manifest yet.
create table ingot.sent_assets (
  name text primary key,
  digest text not null references ingot.blobs,
  size bigint not null,
  sent_at timestamptz(3) not null default now()
);
-- Files that were uploaded to a URL that was issued for them.
create table ingot.sent_files (
  key text primary key,
  digest text not null references ingot.blobs,
  size bigint not null,
  sent_at timestamptz(3) not null default now()
);
-- The active release, and its modules that edits have replaced.
create table ingot.site_state (
  single boolean primary key default true check (single),
  release text not null,
  -- Incremented with every change.
  revision bigint not null
);
create table ingot.site_modules (
  path text primary key,
  digest text not null,
  -- Null for a removed module.
  script text,
  revision bigint not null
);
`
