/** Accounts: sessions, failed sign-ins, and further columns of users. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
alter table ingot.users
  add column featured boolean not null default false,
  add column public_profile boolean not null default false;

create table ingot.sessions (
  -- SHA-256 of the id that the visitor holds. A reader of this table cannot use it to sign in.
  id bytea primary key,
  user_id bigint references ingot.users (id) on delete cascade,
  -- The secret from which the tokens of its forms are derived.
  csrf bytea not null,
  fields jsonb not null default '{}',
  flash jsonb not null default '{}',
  -- Lifetime after the last visit.
  minutes double precision not null,
  created_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sessions_user_id on ingot.sessions (user_id) where user_id is not null;
create index sessions_expires_at on ingot.sessions (expires_at);

-- Failed sign-in attempts, by address or account. Each attempt moves the time at which all of them are forgiven.
create table ingot.attempts (
  subject bytea primary key,
  until timestamptz not null
);
create index attempts_until on ingot.attempts (until);
`
