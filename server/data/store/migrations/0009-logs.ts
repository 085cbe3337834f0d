/** The site's log. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.logs (
  id bigint generated always as identity primary key,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- The type in the tag; error for errors.
  type text not null,
  message text not null,
  data jsonb not null default '{}'
);
create index logs_created_at on ingot.logs (created_at);
`
