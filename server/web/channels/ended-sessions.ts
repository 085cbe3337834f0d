/** Finds connections whose session has ended: by sign-out, by expiry, or because its user was deleted. */
import { createHash } from 'node:crypto'
import type { Sql } from 'postgres'

/** The PostgreSQL channel on which a trigger reports removed sessions. */
const NOTIFICATION = 'ingot_sessions_ended'

/** A connection with a session. */
interface HoldsSession {
  /** Key of the session's row, in hex; null without one. */
  readonly row: string | null
  readonly user: string | null
}

/**
 * Calls a function with the digest of each removed session from now on.
 * @returns a function that ends this
 * @throws the database client's errors
 */
export async function followEndedSessions(sql: Sql, ended: (digest: string) => void): Promise<() => Promise<void>> {
  const listening = await sql.listen(NOTIFICATION, ended)
  // Listening has already ended when the connection is lost.
  return () => listening.unlisten().catch(() => undefined)
}

/** Returns the digest with which the trigger names a session. @param row key of the row, in hex */
export function sessionDigest(row: string): string {
  return createHash('sha256').update(Buffer.from(row, 'hex')).digest('hex')
}

/**
 * Returns the connections whose session no longer exists, or belongs to another user.
 * @throws the database client's errors
 */
export async function withoutSession<Holder extends HoldsSession>(
  sql: Sql,
  connections: readonly Holder[],
): Promise<readonly Holder[]> {
  const holders = connections.filter(({ row }) => row !== null)
  if (holders.length === 0) return []
  const keys = [...new Set(holders.flatMap(({ row }) => row ?? []))]
  const rows = await sql<{ row: string; user: string | null }[]>`
    select encode(s.id, 'hex') as row, u.id::text as user
    from ingot.sessions s left join ingot.users u on u.id = s.user_id and u.deleted_at is null
    where s.id = any(array(select decode(jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb), 'hex')))
    and s.expires_at > now()`
  const users = new Map(rows.map(({ row, user }) => [row, user]))
  return holders.filter(({ row, user }) => row !== null && (!users.has(row) || users.get(row) !== user))
}
