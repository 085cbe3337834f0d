/** Opens the releases of a site, and the build that a command uses: the active release, or the build in the folder. */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Sql } from 'postgres'
import { openBuild } from '../builds/open-build.ts'
import type { Settings } from '../../core/settings.ts'
import { type BuiltSite, findBuilt } from '../../web/site/load.ts'
import type { EmbeddedLog } from '../../data/store/postgres/embedded.ts'
import { DATA_FOLDER } from '../../data/store/postgres/embedded.ts'
import { withStore } from '../../data/with-store.ts'
import { ReleaseCopies } from './copies.ts'
import { ReleaseDatabase } from './database.ts'
import { ReleaseFolder } from './folder.ts'
import { noActiveRelease, type Releases } from './model.ts'

/** Folder in the data folder for local copies of releases from the database. */
const COPIES_FOLDER = 'release-copies'

/** Connections of a command that only reads a release. */
const POOL = 2

/** The settings that determine where releases are stored. */
type StoreSettings = Pick<Settings, 'releases' | 'dataFolder'>

/** The site that was given to a command. */
export interface SiteLocation {
  /** Folder of a site, or an archive. */
  readonly dir: string
  /** Folder of its build, when it is not in the site's folder. */
  readonly out?: string | undefined
}

/** Returns the store of a site's releases if it is a folder; null when they are in the database. */
export function releaseFolder(settings: StoreSettings, dir: string): ReleaseFolder | null {
  if (settings.releases?.kind === 'database') return null
  return new ReleaseFolder(resolve(settings.releases?.folder ?? join(dataFolderOf(settings, dir), 'releases')))
}

/** Returns the store of a site's releases. @param sql client of its database */
export function releaseStore(settings: StoreSettings, dir: string, sql: Sql): Releases {
  const copies = (): ReleaseCopies => new ReleaseCopies(resolve(dataFolderOf(settings, dir), COPIES_FOLDER))
  return releaseFolder(settings, dir) ?? new ReleaseDatabase(sql, copies())
}

function dataFolderOf({ dataFolder }: StoreSettings, dir: string): string {
  return dataFolder ?? join(dir, DATA_FOLDER)
}

/**
 * Returns whether a command uses the active release: when it gets no other build, and a release is active or required.
 * @throws StartError when releases are stored in a folder, and none is active
 */
export async function servesRelease({ dir, out }: SiteLocation, settings: StoreSettings): Promise<boolean> {
  if (out !== undefined || statSync(dir, { throwIfNoEntry: false })?.isFile() === true) return false
  const folder = releaseFolder(settings, dir)
  if (folder === null || (await folder.current()) !== null) return true
  if (settings.releases !== null) throw noActiveRelease(folder)
  return false
}

/**
 * Opens the build that a command uses, which is the one that `ingot serve` serves.
 * @throws StartError
 */
export async function openServed(location: SiteLocation, settings: Settings, logger: EmbeddedLog): Promise<BuiltSite> {
  const { dir, out } = location
  if (!(await servesRelease(location, settings))) return openBuild(dir, out, settings)
  const folder = releaseFolder(settings, dir)
  if (folder !== null) return activeBuild(folder, dir)
  return withStore({ settings, dir, pool: POOL, logger }, ({ sql }) =>
    activeBuild(releaseStore(settings, dir, sql), dir),
  )
}

/** Returns the build of the active release. @throws StartError when there is none, or it is not available */
async function activeBuild(releases: Releases, dir: string): Promise<BuiltSite> {
  const pointer = await releases.current()
  if (pointer === null) throw noActiveRelease(releases)
  return releaseBuild(releases, pointer.release, dir)
}

/**
 * Returns the build of a release that this server can run.
 * @param revision the last edit to include
 * @throws StartError
 */
export async function releaseBuild(releases: Releases, id: string, dir: string, revision = 0): Promise<BuiltSite> {
  const builtSite = await releases.openBuild(id, resolve(dir))
  const edits = revision === 0 ? {} : { edits: { release: id, revision } }
  return { ...builtSite, ...findBuilt(dir, builtSite.folder), ...edits }
}
