/** What a site consists of that is deployed: its files by their content, what was asked, and the modules that edits have replaced. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- Files of sites, archives and uploads, each once, by the digest of its bytes.
create table ingot.blobs (
  digest text primary key,
  size bigint not null,
  -- A blob that nothing names is removed when it was wanted for the last time a day ago.
  wanted_at timestamptz(3) not null default now()
);
create table ingot.blob_parts (
  digest text not null references ingot.blobs on delete cascade,
  number integer not null,
  bytes bytea not null,
  primary key (digest, number)
);
-- What the site that is served consists of.
create table ingot.site_files (
  path text primary key,
  digest text not null references ingot.blobs,
  size bigint not null,
  updated_at timestamptz(3) not null default now()
);
-- What was asked of a server, and what came of it.
create table ingot.deploys (
  id bigint primary key generated always as identity,
  kind text not null,
  status text not null default 'ready_for_import',
  request jsonb not null,
  -- What the client gets beside the status.
  result jsonb not null default '{}',
  -- The list of files that came of it: digests by path.
  files jsonb,
  release text,
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
create index on ingot.deploys (id) where status in ('ready_for_import', 'in_progress');
-- Assets that were sent, and of which no manifest has told yet.
create table ingot.sent_assets (
  name text primary key,
  digest text not null references ingot.blobs,
  size bigint not null,
  sent_at timestamptz(3) not null default now()
);
-- Files that were sent to an address that was given out for them.
create table ingot.sent_files (
  key text primary key,
  digest text not null references ingot.blobs,
  size bigint not null,
  sent_at timestamptz(3) not null default now()
);
-- What is served: a release, and the modules of it that edits have replaced.
create table ingot.site_state (
  single boolean primary key default true check (single),
  release text not null,
  -- Rises with every change.
  revision bigint not null
);
create table ingot.site_modules (
  path text primary key,
  digest text not null,
  -- Null for a module that is gone.
  script text,
  revision bigint not null
);
`
