/** Opens the database of a site's folder, for commands that work with or without a running server. */
import { statSync } from 'node:fs'
import { openDatabase } from './database.ts'
import type { ReadySettings, Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import type { EmbeddedLog } from './store/postgres/embedded.ts'
import { openStore, type Store } from './store/store.ts'

export interface FolderOptions {
  readonly settings: Settings
  /** The site's folder. */
  readonly dir: string
  /** Maximum number of connections. */
  readonly pool: number
  readonly logger: EmbeddedLog
}

interface FolderStore {
  readonly store: Store
  /** The settings, completed with the database's URL and the data folder. */
  readonly settings: ReadySettings
  /** Disconnects; the embedded database is stopped when no other process uses it. */
  close(): Promise<void>
}

/**
 * Starts the embedded database if it is used, connects, and migrates Ingot's own tables.
 * @throws StartError
 */
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

/**
 * Runs `action` with the database of a folder, and disconnects afterwards in any case.
 * @throws StartError, and what `action` throws
 */
export async function withStore<T>(
  options: FolderOptions,
  action: (store: Store, settings: ReadySettings) => Promise<T>,
): Promise<T> {
  const opened = await openFolderStore(options)
  try {
    return await action(opened.store, opened.settings)
  } finally {
    await opened.close()
  }
}
