/** The servers that share a database. Each has a row while it runs, with facts that the others need. */
import { randomUUID } from 'node:crypto'
import type { ISql, Sql } from 'postgres'
import * as z from 'zod'
import { createClient } from './connection.ts'
import { readDatabaseUrl } from './database-url.ts'

/** Milliseconds between two heartbeats, and seconds without one after which a server counts as gone. */
const HEARTBEAT_INTERVAL = 5_000
const MAX_SILENCE = 60

export interface ServerRow {
  readonly host: string
  readonly version: string
  readonly secret: string
  readonly files: string
  readonly environment: string
}

const followsSchema = z.object({
  /** Identifies the place of the releases. */
  place: z.string(),
  /** The release that all processes of the server serve; null before they serve any. */
  release: z.string().nullable(),
  /** The generation of the last pointer whose changes are complete. */
  generation: z.number(),
  /** The reason why the server cannot serve the next release; null when it can. */
  problem: z.string().nullable(),
})
/** The state of a server that follows the pointer to the active release. */
type FollowState = z.infer<typeof followsSchema>

/** A server that serves releases. */
export interface FollowingServer {
  readonly host: string
  readonly pid: number
  readonly follows: FollowState
  /** Seconds since the last heartbeat of the server. */
  readonly silence: number
}

/**
 * Returns the other running servers.
 * @param id of this server
 */
export async function otherServers(sql: ISql, id: string): Promise<readonly ServerRow[]> {
  return sql<ServerRow[]>`
    select host, version, secret, files, coalesce(environment, '') as environment from ingot.servers
    where id <> ${id} and seen_at > now() - ${MAX_SILENCE} * interval '1 second' order by host, started_at`
}

/** Returns the servers that follow releases and have sent a heartbeat recently. */
export async function followingServers(sql: ISql): Promise<readonly FollowingServer[]> {
  const rows = await sql<{ host: string; pid: number | null; follows: unknown; silence: number }[]>`
    select host, pid, follows, extract(epoch from now() - seen_at)::float8 as silence from ingot.servers
    where follows is not null and seen_at > now() - ${MAX_SILENCE} * interval '1 second' order by host, pid, id`
  return rows.flatMap(({ host, pid, follows, silence }) => {
    const read = followsSchema.safeParse(follows)
    return read.success && pid !== null ? [{ host, pid, follows: read.data, silence }] : []
  })
}

/** A server that serves the build of a folder and follows no releases. */
export type FolderServer = Omit<FollowingServer, 'follows'>

/** Returns the servers that follow no releases and have sent a heartbeat recently. */
export async function folderServers(sql: ISql): Promise<readonly FolderServer[]> {
  return sql<FolderServer[]>`
    select host, pid, extract(epoch from now() - seen_at)::float8 as silence from ingot.servers
    where follows is null and pid is not null and seen_at > now() - ${MAX_SILENCE} * interval '1 second'
    order by host, pid, id`
}

/**
 * Returns the host of a server that runs in production, or that ran within the last day and did not announce its end. Returns null when
 * there is none. Called before anything in the database is changed, so the tables may be those of an older version.
 * @throws the database client's errors
 */
export async function productionServer(databaseUrl: string): Promise<string | null> {
  const sql: Sql = createClient(readDatabaseUrl(databaseUrl, 'DATABASE_URL'), { pool: 1, name: 'ingot' })
  try {
    const [known] = await sql`
      select from information_schema.columns
      where table_schema = 'ingot' and table_name = 'servers' and column_name = 'environment'`
    if (known === undefined) return null
    const [row] = await sql<{ host: string }[]>`
      select host from ingot.servers
      where environment = 'production' and seen_at > now() - interval '1 day' order by seen_at desc limit 1`
    return row?.host ?? null
  } finally {
    await sql.end({ timeout: 1 })
  }
}

export interface ServerPresence {
  readonly self: ServerRow
  /** The other servers, as of now. */
  others(): Promise<readonly ServerRow[]>
  /** Announces the state of this server's release. */
  announceFollowState(follows: FollowState): Promise<void>
  /** Announces the end of this server. */
  close(): Promise<void>
}

/** Announces a server until it is closed. While the database is away, nothing is announced. */
export function announceServer(databaseUrl: string, self: ServerRow): ServerPresence {
  const sql: Sql = createClient(readDatabaseUrl(databaseUrl, 'DATABASE_URL'), { pool: 1, name: 'ingot server' })
  const id = randomUUID()
  let follows: FollowState | null = null
  const sendHeartbeat = async (): Promise<void> => {
    const followStateJson = follows === null ? null : JSON.stringify(follows)
    await sql`
      insert into ingot.servers (id, host, pid, version, secret, files, environment, follows)
      values (${id}, ${self.host}, ${process.pid}, ${self.version}, ${self.secret}, ${self.files}, ${self.environment},
        ${followStateJson}::text::jsonb)
      on conflict (id) do update set seen_at = now(), follows = excluded.follows`
    await sql`delete from ingot.servers where seen_at < now() - interval '1 day'`
  }
  // The next heartbeat contains the same facts, so a failed one can be ignored.
  const firstHeartbeat = sendHeartbeat().catch(() => undefined)
  const timer = setInterval(() => void sendHeartbeat().catch(() => undefined), HEARTBEAT_INTERVAL)
  timer.unref()
  return {
    self,
    async others() {
      await firstHeartbeat
      return otherServers(sql, id)
    },
    async announceFollowState(now) {
      follows = now
      await sendHeartbeat()
    },
    async close() {
      clearInterval(timer)
      // Without the database, the row stays, and counts as gone after a minute.
      await sql`delete from ingot.servers where id = ${id}`.catch(() => undefined)
      await sql.end({ timeout: 1 })
    },
  }
}
