/** Random keys of files that were uploaded to this server, or created by it for download. */
import { randomBytes } from 'node:crypto'
import type { ISql } from 'postgres'

/** Creates a random key. @param kind folder of the key */
export function newKey(instance: string, kind: SentKind, ending = ''): string {
  return `instances/${instance}/${kind}/${randomBytes(32).toString('hex')}${ending}`
}

/** Purposes of files. They contain a site or its data, and are kept only for a short time. */
const KINDS = ['exports', 'imports', 'data_imports', 'backups', 'clones', 'asset_listings'] as const
export type SentKind = (typeof KINDS)[number]

/** Returns the key of an asset that is uploaded alone. Its name may be that of an archive, which is not unpacked. */
export function assetKey(instance: string, name: string): string {
  return `instances/${instance}/uploaded_assets/${name}`
}

/** Returns the name of the asset with a key; null for other files. */
export function uploadedAsset(key: string): string | null {
  return /^instances\/\d+\/uploaded_assets\/(.+)$/.exec(key)?.[1] ?? null
}

/** Returns the digest of the file with a key; null when there is none. */
export async function sentDigest(sql: ISql, key: string): Promise<string | null> {
  const [row] = await sql<{ digest: string }[]>`select digest from ingot.sent_files where key = ${key}`
  return row?.digest ?? null
}

/** Removes files that are older than a day. */
export async function removeOldFiles(sql: ISql): Promise<void> {
  await sql`
    delete from ingot.sent_files where sent_at < now() - interval '1 day'
      and key ~ ${`^(?:uploads|instances/[0-9]+/(?:${KINDS.join('|')}))/`}`
}
