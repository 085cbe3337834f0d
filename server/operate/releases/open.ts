/** Opens the releases that a command is about, and the build that it works with: the active release, or what was built in the folder. */
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
import { noneActive, type Releases } from './model.ts'

/** Folder of the copies of releases that are kept in the database, in the data folder. */
const COPIES = 'release-copies'

/** Connections of a command that only reads a release. */
const POOL = 2

/** What of the settings says where releases are. */
type Places = Pick<Settings, 'releases' | 'dataFolder'>

/** The build that a command is given. */
export interface GivenSite {
  /** Folder of a site, or an archive. */
  readonly dir: string
  /** Folder of its build, where it is another one. */
  readonly out?: string | undefined
}

/** The releases of a site that are kept in a folder; null where they are in the database. */
export function releaseFolder(settings: Places, dir: string): ReleaseFolder | null {
  if (settings.releases?.kind === 'database') return null
  return new ReleaseFolder(resolve(settings.releases?.folder ?? join(dataOf(settings, dir), 'releases')))
}

/** The releases of a site. @param sql of its database */
export function releasesOf(settings: Places, dir: string, sql: Sql): Releases {
  const copies = (): ReleaseCopies => new ReleaseCopies(resolve(dataOf(settings, dir), COPIES))
  return releaseFolder(settings, dir) ?? new ReleaseDatabase(sql, copies())
}

function dataOf({ dataFolder }: Places, dir: string): string {
  return dataFolder ?? join(dir, DATA_FOLDER)
}

/**
 * Whether a command works with the active release: where it is given nothing else, and one is active or has to be.
 * @throws StartError where releases are to be in a folder, and none is active
 */
export async function servesRelease({ dir, out }: GivenSite, settings: Places): Promise<boolean> {
  if (out !== undefined || statSync(dir, { throwIfNoEntry: false })?.isFile() === true) return false
  const folder = releaseFolder(settings, dir)
  if (folder === null || (await folder.current()) !== null) return true
  if (settings.releases !== null) throw noneActive(folder)
  return false
}

/**
 * The build that a command works with, as `ingot serve` would serve it.
 * @throws StartError
 */
export async function openServed(given: GivenSite, settings: Settings, logger: EmbeddedLog): Promise<BuiltSite> {
  const { dir, out } = given
  if (!(await servesRelease(given, settings))) return openBuild(dir, out, settings)
  const folder = releaseFolder(settings, dir)
  if (folder !== null) return activeBuild(folder, dir)
  return withStore({ settings, dir, pool: POOL, logger }, ({ sql }) => activeBuild(releasesOf(settings, dir, sql), dir))
}

/** @throws StartError where no release is active, or it cannot be had */
export async function activeBuild(releases: Releases, dir: string): Promise<BuiltSite> {
  const now = await releases.current()
  if (now === null) throw noneActive(releases)
  return releaseBuild(releases, now.release, dir)
}

/**
 * The build of a release, which this server can run.
 * @param revision the last edit of it that belongs to it
 * @throws StartError
 */
export async function releaseBuild(releases: Releases, id: string, dir: string, revision = 0): Promise<BuiltSite> {
  const built = await releases.built(id, resolve(dir))
  const edits = revision === 0 ? {} : { edits: { release: id, revision } }
  return { ...built, ...findBuilt(dir, built.folder), ...edits }
}
