/** Messages to WebSockets that are too large for a notification, and notifications about ended sessions. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- Messages live for a moment, so they need not survive a crash.
create unlogged table ingot.channel_messages (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  message text not null
);
create index channel_messages_created_at on ingot.channel_messages (created_at);

-- The WebSockets of each process. A process with WebSockets updates its row every few seconds.
create unlogged table ingot.channel_processes (
  id uuid primary key,
  seen_at timestamptz(3) not null default now(),
  connections integer not null,
  -- Rooms with their subscriptions: [{"channel": "chat", "room": "12", "subscriptions": 3}]. Only the largest ones.
  rooms jsonb not null
);

-- Closes the WebSockets of a session that has ended. Its key is secret, so the notification contains a digest. Expired
-- sessions are not reported, because they are removed in large numbers.
create function ingot.report_ended_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('ingot_sessions_ended', encode(sha256(old.id), 'hex'));
  return null;
end $$;
create trigger report_ended_session after delete on ingot.sessions for each row
  when (old.user_id is not null and old.expires_at > now()) execute function ingot.report_ended_session();
`
