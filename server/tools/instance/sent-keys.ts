/** Files that were sent to this server, or made by it, to be fetched by a key that cannot be guessed. */
import { randomBytes } from 'node:crypto'
import type { ISql } from 'postgres'

/** A key that cannot be guessed. @param kind the folder of it */
export function newKey(instance: string, kind: SentKind, ending = ''): string {
  return `instances/${instance}/${kind}/${randomBytes(32).toString('hex')}${ending}`
}

/** What files are sent or made for. They hold a site or its data, and are not kept for long. */
const KINDS = ['exports', 'imports', 'data_imports', 'backups', 'clones'] as const
export type SentKind = (typeof KINDS)[number]

/** The digest of the file of a key; null where none is. */
export async function sentDigest(sql: ISql, key: string): Promise<string | null> {
  const [row] = await sql<{ digest: string }[]>`select digest from ingot.sent_files where key = ${key}`
  return row?.digest ?? null
}

/** Forgets the files that were there for a day. */
export async function forgetOldFiles(sql: ISql): Promise<void> {
  await sql`
    delete from ingot.sent_files where sent_at < now() - interval '1 day'
      and key ~ ${`^(?:uploads|instances/[0-9]+/(?:${KINDS.join('|')}))/`}`
}
