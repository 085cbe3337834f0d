/** The folder of nightly backups: each is in a folder that is named by its time. */
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import { ownMark } from '../../core/leftovers.ts'
import { StartError } from '../../core/start-error.ts'
import { MANIFEST, readManifest } from './manifest.ts'

/** Names sort by time. They contain no colon, which Windows does not allow. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/**
 * Returns the path of a new backup in a folder of backups.
 * @throws StartError when the folder is a backup itself
 */
export async function newBackupPath(folder: string, now: Date): Promise<string> {
  if ((await namesIn(folder)).includes(MANIFEST))
    throw new StartError(`'${folder}' is a backup itself: give a folder for several backups.`)
  return join(folder, now.toISOString().replace(/[:.]/g, '-'))
}

/**
 * Removes the oldest backups of a folder. Other files and folders are kept.
 * @param keep number of backups that stay
 * @returns the number of removed backups
 */
export async function removeOldBackups(folder: string, keep: number): Promise<number> {
  const oldText = (await backupsIn(folder)).slice(keep)
  for (const name of oldText) {
    // Renamed first, so that a partly removed backup is not used.
    const path = join(folder, `.backup.${ownMark()}-${name}`)
    await rename(join(folder, name), path)
    await rm(path, { recursive: true })
  }
  return oldText.length
}

/**
 * Returns the backup that a path refers to: the path itself, or the newest backup in a folder of backups.
 * @param until the time before which the backup must have been finished; null for any
 */
export async function findBackup(path: string, until: Date | null): Promise<string> {
  for (const name of await backupsIn(path)) {
    const { finishedAt } = await readManifest(join(path, name))
    if (until === null || Date.parse(finishedAt) <= until.getTime()) return join(path, name)
  }
  return path
}

/** Returns the names of the backups in a folder, newest first. An unfinished backup has another name. */
async function backupsIn(folder: string): Promise<readonly string[]> {
  return (await namesIn(folder))
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    // A missing path has no backups. A path that is no folder is reported when it is used.
    if (errorCodeOf(error) === 'ENOENT' || errorCodeOf(error) === 'ENOTDIR') return []
    throw error
  }
}
