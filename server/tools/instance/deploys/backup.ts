/** Packs the files of the served site, or of one of its modules, into an archive. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { type ArchiveFile, writeZip } from '../../../web/files/zip.ts'
import { instanceId } from '../identity.ts'
import { newKey } from '../sent-keys.ts'
import { type BlobFolder, storeFile } from './blobs.ts'
import { DeployRefused } from './change.ts'
import type { DeployRequest } from './rows.ts'
import type { Tree } from './site.ts'

interface BackupContext {
  readonly sql: Sql
  readonly blobs: BlobFolder
  /** Folder for temporary files. */
  readonly folder: string
}

/**
 * Stores an archive of the site's files as they were deployed.
 * @returns the key of the archive
 * @throws DeployRefused when there is nothing to pack
 */
export async function storeBackup(
  { sql, blobs, folder }: BackupContext,
  { module }: Extract<DeployRequest, { kind: 'backup' }>,
  tree: Tree,
): Promise<string> {
  const files: ArchiveFile[] = []
  for (const [name, { digest }] of [...tree].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    if (module === null || name.startsWith(`modules/${module}/`))
      files.push({ name, from: await blobs.get(sql, digest) })
  if (files.length === 0)
    throw new DeployRefused(module === null ? 'No site was deployed yet.' : `The site has no module '${module}'.`)
  const key = newKey(await instanceId(sql), 'backups', '.zip')
  const path = join(folder, 'backup.zip')
  await rm(path, { force: true })
  try {
    await writeZip(files, path)
    const { digest, size } = await storeFile(sql, path)
    await sql`insert into ingot.sent_files (key, digest, size) values (${key}, ${digest}, ${size})`
    return key
  } finally {
    await rm(path, { force: true })
  }
}
