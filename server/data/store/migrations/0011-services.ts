/** Requested exports, vectors, translations set at run time, and links to accounts at other providers. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.exports (
  id bigint generated always as identity primary key,
  -- Arguments of the mutation.
  options jsonb not null,
  -- pending, running, done or error.
  state text not null default 'pending',
  -- The file of a finished export, in the format of upload properties.
  result jsonb,
  error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table ingot.embeddings (
  id bigint primary key default nextval('ingot.ids'),
  embedding real[] not null,
  content text,
  metadata jsonb not null default '{}',
  token_count integer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
-- Vectors do not compress, so compression would only take time.
alter table ingot.embeddings alter column embedding set storage external;

create table ingot.translations (
  id bigint generated always as identity primary key,
  locale text not null,
  key text not null,
  -- A text, a number, true, false or a list; null hides the key.
  value jsonb,
  created_at timestamptz(3) not null default now(),
  -- A later row takes precedence over earlier ones for parent and child keys.
  updated_at timestamptz not null default clock_timestamp(),
  unique (locale, key)
);

-- All processes are notified of a change, whoever makes it.
create function ingot.translations_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('ingot_translations', '');
  return null;
end $$;
create trigger translations_changed after insert or update or delete or truncate on ingot.translations
  for each statement execute function ingot.translations_changed();

create table ingot.authentications (
  id bigint primary key default nextval('ingot.ids'),
  user_id bigint not null references ingot.users (id) on delete cascade,
  provider text not null,
  uid text,
  token text,
  token_expires_at timestamptz(3),
  raw_info jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  unique (user_id, provider)
);
`
