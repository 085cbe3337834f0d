/** What operators look at: sessions, tokens, the log of the site, and the log of changes. */
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
