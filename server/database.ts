/** The database that a command uses: the one in DATABASE_URL, or an embedded one in the data folder. */
import { join, resolve } from 'node:path'
import type { ReadySettings, Settings } from './settings.ts'
import { DATA_FOLDER, type Embedded, type EmbeddedLog, openEmbedded } from './store/postgres/embedded.ts'

export interface Database {
  /** The settings, completed with the database's URL and the data folder, for the processes that need them. */
  readonly settings: ReadySettings
  /** Leaves the database; the embedded one is stopped when no other process uses it. */
  close(): Promise<void>
}

/**
 * Makes sure that a database is available. A database named by DATABASE_URL is not connected to yet.
 * @param dir the site's folder
 * @throws StartError
 */
export async function openDatabase(settings: Settings, dir: string, log: EmbeddedLog): Promise<Database> {
  const dataFolder = resolve(settings.dataFolder ?? join(dir, DATA_FOLDER))
  const own: Embedded | null =
    settings.databaseUrl === null ? await openEmbedded(dataFolder, log, settings.walArchive) : null
  const databaseUrl = own?.url ?? settings.databaseUrl ?? ''
  return {
    settings: { ...settings, databaseUrl, dataFolder },
    async close() {
      await own?.close()
    },
  }
}
