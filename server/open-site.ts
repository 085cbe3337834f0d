/** A built site with its database open, for commands that work on its data beside a server or without one. */
import * as runtime from '../runtime/index.ts'
import type { DataHome } from './data/home.ts'
import type { Settings } from './settings.ts'
import { findBuilt, type LoadedSite, loadSite } from './site/load.ts'
import { openFolderStore } from './with-store.ts'

/** What starts by itself says nothing; what goes wrong goes to people, beside what the command prints. */
const LOG = {
  info: (): void => undefined,
  warn: (_fields: object, message: string): void => void process.stderr.write(`${message}\n`),
  error: (_fields: object, message: string): void => void process.stderr.write(`${message}\n`),
}

/** An import's transaction, a short one beside it, and what watches over both. */
const POOL = 5

/** Loads what `ingot build` wrote. @throws StartError */
export function loadBuilt(dir: string): Promise<LoadedSite> {
  return loadSite(findBuilt(dir), runtime)
}

/** The site's data: the database is started where it is ours, and its tables are brought to what the site declares. @throws StartError */
export async function openData({ site, root }: LoadedSite, settings: Settings): Promise<DataHome> {
  const { store, close } = await openFolderStore({ settings, dir: root, pool: POOL, logger: LOG })
  try {
    const { ids } = await store.prepare(site.data, null)
    return { root, data: site.data, ids, sql: store.sql, close }
  } catch (error) {
    await close()
    throw error
  }
}
