/**
 * Restores a data folder from a backup: checks the digest of every file, lets PostgreSQL replay its write-ahead log in a draft folder,
 * and moves the result to its place only when it works.
 */
import { chown, chmod, mkdir, mkdtemp, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import { ownMark, removeLeftovers } from '../../core/leftovers.ts'
import { StartError } from '../../core/start-error.ts'
import { createSession } from '../../data/store/connection.ts'
import { readDatabaseUrl } from '../../data/store/database-url.ts'
import { type ClusterLocation, startCluster, stopCluster } from '../../data/store/postgres/cluster.ts'
import { makeDataFolder } from '../../data/store/postgres/data-folder.ts'
import { clusterLocation } from '../../data/store/postgres/embedded.ts'
import { type ArchivedLog, readArchive } from './wal-archive.ts'
import { requireEmpty } from './backup.ts'
import { syncFolder } from '../../data/store/postgres/sync-folder.ts'
import { copyFile, digestOf, filesBelow } from './copy-files.ts'
import { CLUSTER, type Manifest, readManifest } from './manifest.ts'

export interface RestoreOptions {
  /** The backup's folder. */
  readonly backup: string
  /** The data folder to create; it must be empty or missing. */
  readonly dataFolder: string
  /** The archive of the write-ahead log to replay after the backup; null for the backup alone. */
  readonly archive: string | null
  /** Time to which the database is restored; null for the latest state. Needs an archive. */
  readonly until: Date | null
  /** A folder of uploaded files, whose newer files are added; null for those of the backup alone. */
  readonly files: string | null
}

/**
 * Checks that a backup is complete.
 * @throws StartError naming the first file that is missing or changed
 */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  for (const { path, size, sha256 } of manifest.files) {
    const file = await digestOf(join(folder, path)).catch((error: unknown) => {
      if (errorCodeOf(error) !== 'ENOENT') throw error
      throw new StartError(`The backup in '${folder}' is incomplete: ${path} is missing. Use another backup.`)
    })
    if (file.size !== size || file.sha256 !== sha256)
      throw new StartError(`The backup in '${folder}' is damaged: ${path} has changed. Use another backup.`)
  }
  return manifest
}

/**
 * Restores a backup.
 * @throws StartError
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { backup, archive, until } = options
  const targetFolder = resolve(options.dataFolder)
  await requireEmpty(targetFolder)
  const manifest = await verifyBackup(backup)
  if (until !== null && until.getTime() < Date.parse(manifest.finishedAt)) {
    throw new StartError(
      `The backup was finished at ${manifest.finishedAt}, after the time of --until: use an earlier backup.`,
    )
  }
  const log = archive === null ? null : await readArchive(archive, manifest.firstSegment)
  const parent = dirname(targetFolder)
  await makeDataFolder(parent)
  const prefix = `.${basename(targetFolder)}.`
  await removeLeftovers(parent, prefix)
  const draft = await mkdtemp(join(parent, `${prefix}${ownMark()}-`))
  try {
    // When root starts PostgreSQL, it runs as another user, who must be able to enter the folder.
    if (process.getuid?.() === 0) await chmod(draft, 0o711)
    const location = await clusterLocation(draft)
    requireVersion(manifest, location)
    await copyToDraft(manifest, options, draft, log)
    await recover(location, until, archive)
    await replaceEmpty(draft, targetFolder)
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (errorCodeOf(error) === 'ENOSPC' || errorCodeOf(error) === 'EDQUOT')
      throw new StartError(`The backup does not fit on the disk of '${parent}': free some space there.`)
    throw error
  }
}

function requireVersion({ postgres }: Manifest, { binaries }: ClusterLocation): void {
  if (postgres === binaries.major) return
  throw new StartError(
    `The backup is from PostgreSQL ${postgres}, but this Ingot has ${binaries.major}: restore it with the version of Ingot that made it.`,
  )
}

/** Copies all files of the backup, the archive and the uploads into the draft. */
async function copyToDraft(
  manifest: Manifest,
  { backup, archive, files }: RestoreOptions,
  draft: string,
  log: ArchivedLog | null,
): Promise<void> {
  const cluster = join(draft, 'postgres')
  for (const { path } of manifest.files) {
    const [top, ...below] = path.split('/')
    await copyFile(join(backup, path), join(top === CLUSTER ? cluster : draft, ...below))
  }
  for (const folder of manifest.folders) await mkdir(join(cluster, folder), { recursive: true, mode: 0o700 })
  if (archive !== null && log !== null) {
    for (const name of [...log.segments, ...log.histories]) {
      // The backup may end with an incomplete segment that is complete in the archive.
      await rm(join(cluster, 'pg_wal', name), { force: true })
      await copyFile(join(archive, name), join(cluster, 'pg_wal', name))
    }
  }
  if (files !== null) await addFiles(files, join(draft, 'files'))
  // Recovery starts a new timeline, so the restored database never overwrites segments that the old one archived.
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600, flush: true })
}

/** Adds files that do not exist yet. The content of a stored file never changes. */
async function addFiles(from: string, to: string): Promise<void> {
  const { files } = await filesBelow(from, (path) => !basename(path).startsWith('.'))
  for (const path of files) {
    const target = join(to, path)
    // If the target cannot be checked, copying reports what is wrong.
    const existing = await stat(target).catch(() => null)
    if (existing === null) await copyFile(join(from, path), target)
  }
}

/** Starts PostgreSQL so that it replays its write-ahead log, and stops it again. */
async function recover(location: ClusterLocation, until: Date | null, archive: string | null): Promise<void> {
  const { folder, account, settings } = location
  if (account !== null) await changeOwner(folder, account)
  const target = until === null ? {} : { recovery_target_time: formatTime(until), recovery_target_action: 'promote' }
  const recovery: ClusterLocation = {
    ...location,
    // All segments are already in the cluster's folder.
    settings: { ...settings, restore_command: 'exit 1', hot_standby: 'off', ...target },
  }
  try {
    const url = await startCluster(recovery)
    const sql = createSession(readDatabaseUrl(url, 'INGOT_DATA'), 'ingot restore', () => undefined)
    try {
      await sql`checkpoint`
    } finally {
      await sql.end({ timeout: 1 })
    }
  } catch (error) {
    if (until === null || !(error instanceof StartError) || !error.message.includes('recovery target')) throw error
    throw new StartError(
      `The archive '${archive ?? ''}' has no commit after ${until.toISOString()}, so it may not reach that time: leave out --until to restore all of it.`,
    )
  } finally {
    await stopCluster(recovery)
  }
}

/** Formats a time for a setting of PostgreSQL, which does not accept `Z`: `2026-02-28 12:30:00.000+00`. */
function formatTime(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '+00')
}

/** Changes the owner of a folder and its contents. */
async function changeOwner(
  folder: string,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<void> {
  await chown(folder, uid, gid)
  await chmod(folder, 0o700)
  const { files, empty } = await filesBelow(folder, () => true)
  const folders = new Set(empty)
  for (const path of files) {
    await chown(join(folder, path), uid, gid)
    for (let parentFolder = dirname(path); parentFolder !== '.'; parentFolder = dirname(parentFolder))
      folders.add(parentFolder)
  }
  for (const path of [...folders]) {
    for (let parentFolder = path; parentFolder !== '.'; parentFolder = dirname(parentFolder))
      await chown(join(folder, parentFolder), uid, gid)
  }
}

/** Moves a folder to a path that is missing or an empty folder. */
async function replaceEmpty(draft: string, place: string): Promise<void> {
  const { mode, uid, gid } = await stat(place).catch(() => ({ mode: null, uid: 0, gid: 0 }))
  if (mode !== null) {
    await rm(join(place, '.gitignore'), { force: true })
    await rmdir(place)
    if (process.getuid?.() === 0) await chown(draft, uid, gid)
    await chmod(draft, mode & 0o777)
  }
  await rename(draft, place)
  await syncFolder(dirname(place))
}
