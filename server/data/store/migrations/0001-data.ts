/** The tables that hold a site's data. Times have milliseconds, as the interface prints them. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create sequence ingot.ids;

-- Reserves an id that a writer has chosen. Later ids of the sequence are well above it, even while others draw from the sequence.
create function ingot.reserved(id bigint) returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('ingot.ids'));
  if id >= (select last_value from ingot.ids) then
    perform setval('ingot.ids', id + 1000);
  end if;
  return id;
end $$;

-- The number of a table is part of every record and of the predicates of its indexes. It is kept when the table file is removed.
create table ingot.tables (
  id integer generated always as identity primary key,
  name text not null unique,
  properties jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  removed_at timestamptz(3)
);

create table ingot.records (
  id bigint primary key default nextval('ingot.ids'),
  table_id integer not null references ingot.tables (id),
  user_id bigint,
  external_id text,
  name text,
  customizable_id bigint,
  customizable_type text,
  properties jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3)
);
create index records_table_id on ingot.records (table_id, id) where deleted_at is null;
create index records_external_id on ingot.records (table_id, external_id) where external_id is not null;
create index records_user_id on ingot.records (user_id) where user_id is not null;
create index records_deleted_at on ingot.records (deleted_at) where deleted_at is not null;

create table ingot.users (
  id bigint primary key default nextval('ingot.ids'),
  email text not null,
  slug text not null,
  name text,
  first_name text,
  middle_name text,
  last_name text,
  language text,
  external_id text,
  encrypted_password text,
  properties jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3)
);
create unique index users_email on ingot.users (lower(email)) where deleted_at is null;
create unique index users_slug on ingot.users (slug) where deleted_at is null;
create index users_external_id on ingot.users (external_id) where external_id is not null;

create table ingot.profiles (
  id bigint primary key default nextval('ingot.ids'),
  user_id bigint not null references ingot.users (id) on delete cascade,
  profile_type text not null,
  properties jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  unique (user_id, profile_type)
);

-- Values are encrypted by the server before they are stored.
create table ingot.constants (
  id bigint primary key default nextval('ingot.ids'),
  name text not null unique,
  value text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table ingot.activities (
  id bigint primary key default nextval('ingot.ids'),
  uuid text not null unique,
  payload jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create table ingot.feed_entries (
  feed_type text not null,
  feed_id text not null,
  activity_id bigint not null references ingot.activities (id) on delete cascade,
  published_at timestamptz(3) not null default now(),
  primary key (feed_type, feed_id, activity_id)
);
create index feed_entries_published_at on ingot.feed_entries (feed_type, feed_id, published_at desc, activity_id desc);
create index feed_entries_activity_id on ingot.feed_entries (activity_id);
create table ingot.feed_reads (
  feed_type text not null,
  feed_id text not null,
  read_at timestamptz(3) not null,
  primary key (feed_type, feed_id)
);
-- Returns when a feed was last read; long ago for a feed that was never read. With "note", records that it is read now.
create function ingot.feed_read(type text, id text, note boolean) returns timestamptz language plpgsql as $$
declare
  mark timestamptz := (select read_at from ingot.feed_reads where feed_type = type and feed_id = id);
begin
  if note and id is not null then
    insert into ingot.feed_reads as r (feed_type, feed_id, read_at) values (type, id, clock_timestamp())
      on conflict (feed_type, feed_id) do update set read_at = greatest(r.read_at, excluded.read_at);
  end if;
  return coalesce(mark, '-infinity');
end $$;

create table ingot.api_tokens (
  id bigint primary key default nextval('ingot.ids'),
  name text not null,
  -- SHA-256 of the token. A token has 256 random bits, so no slow hash is needed.
  digest bytea not null unique,
  scope text not null check (scope in ('read', 'write', 'admin')),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
`
