/** What operators look at: sessions, tokens, WebSockets, the log of the site, and the log of changes. */
import type { Build, JsonExpression, Selected } from '../model.ts'
import { sql } from '../../sql/sql.ts'
import { type PlainTable, tableJson } from './plain-table.ts'

const SESSIONS: PlainTable = {
  from: sql`(select encode(id, 'hex') as id, user_id, created_at, seen_at, expires_at from ingot.sessions
    where user_id is not null and expires_at > now())`,
  columns: { id: 'external', user_id: 'id', created_at: 'time', seen_at: 'time', expires_at: 'time' },
}
const LOGS: PlainTable = {
  from: sql`ingot.logs`,
  columns: { id: 'id', created_at: 'time', type: 'text', message: 'text', data: 'shown' },
}
const CHANGES: PlainTable = {
  from: sql`ingot.changes`,
  columns: {
    ...{ id: 'id', created_at: 'time', actor_id: 'id', actor: 'text', kind: 'text', table_name: 'text' },
    ...{ row_id: 'external', action: 'text', before: 'shown', after: 'shown' },
  },
}
const TOKENS: PlainTable = {
  // The text of a token is returned only when it is created.
  from: sql`(select id, user_id, name, scope, created_at, expires_at, null::text as token from ingot.user_tokens
    where revoked_at is null and expires_at > now())`,
  columns: {
    ...{ id: 'id', user_id: 'id', name: 'text', scope: 'text', created_at: 'time', expires_at: 'time' },
    token: 'shown',
  },
}

const CHANNEL_ROOMS: PlainTable = {
  from: sql`(select md5(r.channel || ' ' || r.room) as id, r.channel, r.room as room_id,
    sum(r.subscriptions)::integer as subscriptions, count(*)::integer as processes
    from ingot.channel_processes p, jsonb_to_recordset(p.rooms) as r (channel text, room text, subscriptions integer)
    where p.seen_at > now() - interval '20 seconds' group by r.channel, r.room)`,
  columns: { id: 'external', channel: 'text', room_id: 'external', subscriptions: 'shown', processes: 'shown' },
}
const CHANNEL_PROCESSES: PlainTable = {
  from: sql`(select id::text, seen_at, connections from ingot.channel_processes
    where seen_at > now() - interval '20 seconds')`,
  columns: { id: 'external', seen_at: 'time', connections: 'shown' },
}

/** Returns a page of the rooms with subscribers. */
export function channelRoomsJson(call: Selected, build: Build): JsonExpression {
  return tableJson(call, CHANNEL_ROOMS, build)
}

/** Returns a page of the processes with WebSockets. */
export function channelProcessesJson(call: Selected, build: Build): JsonExpression {
  return tableJson(call, CHANNEL_PROCESSES, build)
}

/** Returns a page of the open sessions of signed-in users. */
export function sessionsJson(call: Selected, build: Build): JsonExpression {
  return tableJson(call, SESSIONS, build)
}

/** Returns a page of the site's log. */
export function logsJson(call: Selected, build: Build): JsonExpression {
  return tableJson(call, LOGS, build)
}

/** Returns a page of the log of changes. */
export function changesJson(call: Selected, build: Build): JsonExpression {
  return tableJson(call, CHANGES, build)
}

/** Returns a page of the valid tokens of users. */
export function tokensJson(call: Selected, build: Build): JsonExpression {
  return tableJson(call, TOKENS, build)
}
