/** Data that a server is asked to take in or to hand out: what was asked, how far it is, and what has come of it. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.transfers (
  id bigint primary key generated always as identity,
  kind text not null,
  -- One that is waiting is not begun before the files are there that it needs.
  status text not null default 'pending' check (status in ('waiting', 'pending', 'in_progress', 'done', 'failed')),
  request jsonb not null,
  -- { phase, rows, of }
  progress jsonb,
  result jsonb not null default '{}',
  -- What it has gone through: [{ name, created_at }].
  steps jsonb not null default '[]',
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
create index on ingot.transfers (id) where status in ('waiting', 'pending', 'in_progress');
-- Files that an import has taken from where its rows name them: who begins it anew does not take them again.
create table ingot.transfer_files (
  transfer_id bigint not null references ingot.transfers on delete cascade,
  address text not null,
  file jsonb not null,
  primary key (transfer_id, address)
);
`
