/** The database of a command: the one that DATABASE_URL names, or our own in the data folder. */
import { join, resolve } from 'node:path'
import type { ReadySettings, Settings } from './settings.ts'
import { DATA_FOLDER, type Embedded, type EmbeddedLog, openEmbedded } from './store/postgres/embedded.ts'

export interface Database {
  /** The settings, with what the database and the data folder turned out to be: for the processes that use them. */
  readonly settings: ReadySettings
  /** Leaves the database; our own is stopped where nobody else uses it. */
  close(): Promise<void>
}

/**
 * Makes sure that there is a database; nothing is connected yet where DATABASE_URL names it.
 * @param dir the site's folder
 * @throws StartError
 */
export async function openDatabase(settings: Settings, dir: string, log: EmbeddedLog): Promise<Database> {
  const dataFolder = resolve(settings.dataFolder ?? join(dir, DATA_FOLDER))
  const own: Embedded | null = settings.databaseUrl === null ? await openEmbedded(dataFolder, log) : null
  const databaseUrl = own?.url ?? settings.databaseUrl ?? ''
  return {
    settings: { ...settings, databaseUrl, dataFolder },
    async close() {
      await own?.close()
    },
  }
}
