/** Secrets of one-time passwords. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.otp_secrets (
  user_id bigint not null references ingot.users (id) on delete cascade,
  name text not null,
  -- Encrypted by the server before it is stored.
  secret text not null,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, name)
);
`
