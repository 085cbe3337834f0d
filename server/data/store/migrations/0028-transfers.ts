/** Imports and exports of data: requests, progress and results. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.transfers (
  id bigint primary key generated always as identity,
  kind text not null,
  -- A waiting transfer starts when the files that it needs have arrived.
  status text not null default 'pending' check (status in ('waiting', 'pending', 'in_progress', 'done', 'failed')),
  request jsonb not null,
  -- { phase, rows, of }
  progress jsonb,
  result jsonb not null default '{}',
  -- Its completed steps: [{ name, created_at }].
  steps jsonb not null default '[]',
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
create index on ingot.transfers (id) where status in ('waiting', 'pending', 'in_progress');
-- Files that an import has fetched from the addresses in its rows. A repeated import does not fetch them again.
create table ingot.transfer_files (
  transfer_id bigint not null references ingot.transfers on delete cascade,
  address text not null,
  file jsonb not null,
  primary key (transfer_id, address)
);
`
