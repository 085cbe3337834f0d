/** Opens a built site and its database for commands that work on its data, with or without a running server. */
import * as runtime from '../../runtime/index.ts'
import type { DataHome } from '../web/transfer/home.ts'
import { openServed } from './releases/open.ts'
import type { Settings } from '../core/settings.ts'
import { type LoadedSite, loadSite } from '../web/site/load.ts'
import { openFolderStore } from '../data/with-store.ts'

/** Does not log the start. Problems go to standard error, apart from the command's output. */
const LOG = {
  info: (): void => undefined,
  warn: (_fields: object, message: string): void => void process.stderr.write(`${message}\n`),
  error: (_fields: object, message: string): void => void process.stderr.write(`${message}\n`),
}

/** Connections: one for an import's transaction, one for short statements, and monitoring. */
const POOL = 5

/**
 * Loads the site that `ingot serve` would serve: the active release, the build in a site's folder, or a packed build.
 * @throws StartError
 */
export async function loadBuilt(dir: string, settings: Settings): Promise<LoadedSite> {
  return loadSite(await openServed({ dir }, settings, LOG), runtime)
}

/**
 * Opens the site's data: starts the embedded database if it is used, and migrates the tables to the site's declarations.
 * @throws StartError
 */
export async function openData({ site, root, releases }: LoadedSite, settings: Settings): Promise<DataHome> {
  const { store, close } = await openFolderStore({ settings, dir: root, pool: POOL, logger: LOG })
  try {
    const { ids } = await store.prepare(site.data, null, releases !== undefined)
    return { root, data: site.data, ids, sql: store.sql, close }
  } catch (error) {
    await close()
    throw error
  }
}
