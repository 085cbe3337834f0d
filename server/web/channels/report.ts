/** Reports the WebSockets of a process to operators, through a table. */
import type { Sql } from 'postgres'

/** A room with subscribers in this process. */
export interface OpenRoom {
  readonly channel: string
  readonly room: string
  readonly subscriptions: number
}

/** Milliseconds between two reports. Operators see the reports of the last twenty seconds. */
export const REPORT_INTERVAL = 5_000
/** Maximum number of rooms in a report. */
export const MAX_REPORTED = 100

/** Replaces the report of a process. Never throws: the next report follows soon. */
export async function writeReport(
  sql: Sql,
  id: string,
  connections: number,
  rooms: readonly OpenRoom[],
): Promise<void> {
  const json = JSON.stringify(rooms)
  await sql`
    with old as (delete from ingot.channel_processes where seen_at < now() - interval '1 minute' and id <> ${id}::uuid)
    insert into ingot.channel_processes (id, connections, rooms)
    values (${id}::uuid, ${connections}, ${json}::text::jsonb)
    on conflict (id) do update set seen_at = now(), connections = excluded.connections, rooms = excluded.rooms`.catch(
    () => undefined,
  )
}

/** Removes the report of a process. Never throws: operators do not see a report that is older than twenty seconds. */
export async function removeReport(sql: Sql, id: string): Promise<void> {
  await sql`delete from ingot.channel_processes where id = ${id}::uuid`.catch(() => undefined)
}
