/** Mails, text messages and API calls that were sent or failed. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create table ingot.notifications (
  id bigint generated always as identity primary key,
  -- email, sms or api_call.
  channel text not null,
  -- Logical name of the template; null for a notification without a template.
  name text,
  -- What was sent: recipients, subject, body, headers.
  content jsonb not null,
  -- The response of the receiving service.
  options jsonb not null default '{}',
  -- Null when it was sent.
  error text,
  -- The same for each attempt of a job, so that a sent notification is not sent again.
  once text unique,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index notifications_created_at on ingot.notifications (created_at);
`
