/** The database that a command uses: the one in DATABASE_URL, or an embedded one in the data folder. */
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ReadySettings, Settings } from '../core/settings.ts'
import { DATA_FOLDER, type Embedded, type EmbeddedLog, openEmbedded } from './store/postgres/embedded.ts'

/** How a command's database ended: only the embedded one is stopped, unless another command uses it. */
export type DatabaseEnd = 'stopped' | 'in use' | 'external'

export interface Database {
  /** The settings, completed with the database's URL and the data folder, for the processes that need them. */
  readonly settings: ReadySettings
  /** Releases the database. The embedded one is stopped when no other process uses it. */
  close(): Promise<DatabaseEnd>
}

/**
 * Makes sure that a database is available. A database named by DATABASE_URL is not connected to yet.
 * @param dir the site's folder
 * @throws StartError
 */
export async function openDatabase(settings: Settings, dir: string, log: EmbeddedLog): Promise<Database> {
  const dataFolder = resolve(settings.dataFolder ?? join(dir, DATA_FOLDER))
  await restrictAccess(dataFolder)
  const embedded: Embedded | null =
    settings.databaseUrl === null ? await openEmbedded(dataFolder, log, settings.walArchive) : null
  const databaseUrl = embedded?.url ?? settings.databaseUrl ?? ''
  return {
    settings: { ...settings, databaseUrl, dataFolder },
    async close() {
      if (embedded === null) return 'external'
      return (await embedded.close()) ? 'stopped' : 'in use'
    },
  }
}

/**
 * Removes the rights of other users to the contents of a data folder, which an earlier version or a person may have granted. Only the
 * direct
 * entries of the folder are changed, which also protects everything below them.
 */
async function restrictAccess(dataFolder: string): Promise<void> {
  const userId = process.getuid?.()
  // There is no data folder before the first start, and Windows has no such rights.
  const names = userId === undefined ? [] : await readdir(dataFolder).catch((): string[] => [])
  for (const name of names) {
    const path = join(dataFolder, name)
    // Another process may have just removed it.
    const stats = await lstat(path).catch(() => null)
    if (stats === null || stats.isSymbolicLink() || (stats.mode & 0o77) === 0) continue
    // Only the owner of a file may change its rights.
    if (userId === 0 || stats.uid === userId) await chmod(path, stats.mode & 0o700)
  }
}
