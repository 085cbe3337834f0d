/** The database of a site's folder, for commands that work on it beside a server or without one. */
import { statSync } from 'node:fs'
import { openDatabase } from './database.ts'
import type { ReadySettings, Settings } from './settings.ts'
import { StartError } from './start-error.ts'
import type { EmbeddedLog } from './store/postgres/embedded.ts'
import { openStore, type Store } from './store/store.ts'

export interface FolderOptions {
  readonly settings: Settings
  /** The site's folder. */
  readonly dir: string
  /** Connections at most. */
  readonly pool: number
  readonly logger: EmbeddedLog
}

export interface FolderStore {
  readonly store: Store
  /** With what the database and the data folder turned out to be. */
  readonly settings: ReadySettings
  /** Leaves the database; our own is stopped where nobody else uses it. */
  close(): Promise<void>
}

/** Starts the database where it is ours, connects, and makes the tables of our own. @throws StartError */
export async function openFolderStore({ settings, dir, pool, logger }: FolderOptions): Promise<FolderStore> {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new StartError(`There is no folder '${dir}': give the folder of a site.`)
  const database = await openDatabase(settings, dir, logger)
  try {
    const store = await openStore({ url: database.settings.databaseUrl, replicaUrl: null, pool, logger })
    const close = async (): Promise<void> => {
      try {
        await store.close()
      } finally {
        await database.close()
      }
    }
    return { store, settings: database.settings, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Does something with the database of a folder, and leaves it whatever comes of that. @throws StartError, and what `work` throws */
export async function withStore<T>(
  options: FolderOptions,
  work: (store: Store, settings: ReadySettings) => Promise<T>,
): Promise<T> {
  const opened = await openFolderStore(options)
  try {
    return await work(opened.store, opened.settings)
  } finally {
    await opened.close()
  }
}
