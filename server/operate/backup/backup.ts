/** Makes a backup of a data folder: the embedded database while it runs, uploaded files, and the secret. */
import { mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import { ownMark, removeLeftovers } from '../../core/leftovers.ts'
import { StartError } from '../../core/start-error.ts'
import { createSession } from '../../data/store/connection.ts'
import { readDatabaseUrl } from '../../data/store/database-url.ts'
import { copyCluster } from './base-backup.ts'
import { syncFolder } from '../../data/store/postgres/sync-folder.ts'
import { copyFile, filesBelow } from './copy-files.ts'
import { CLUSTER, type CopiedFile, DATA, MANIFEST, type Manifest } from './manifest.ts'

export interface BackupOptions {
  /** URL of the embedded database. */
  readonly databaseUrl: string
  /** The data folder, which contains the database's folder. */
  readonly dataFolder: string
  /** The folder of the new backup; it must be empty or missing. */
  readonly target: string
  readonly version: string
}

/** Beginning of the names of unfinished backups. */
const DRAFT = '.backup.'

/**
 * Makes a backup. It is atomic: the target folder appears only when the backup is complete.
 * @throws StartError
 */
export async function makeBackup({ databaseUrl, dataFolder, target, version }: BackupOptions): Promise<Manifest> {
  const targetFolder = resolve(target)
  const parent = dirname(targetFolder)
  await requireEmpty(targetFolder)
  await mkdir(parent, { recursive: true })
  await removeLeftovers(parent, DRAFT)
  const draft = await mkdtemp(join(parent, `${DRAFT}${ownMark()}-`))
  const sql = createSession(readDatabaseUrl(databaseUrl, 'DATABASE_URL'), 'ingot backup', () => undefined)
  try {
    const cluster = await copyCluster(sql, join(dataFolder, 'postgres'), join(draft, CLUSTER))
    // Copied after the database: files are stored before the rows that name them, and removed hours after.
    const dataFiles = await copyOtherData(dataFolder, join(draft, DATA))
    const files = cluster.files.map((file) => ({ ...file, path: `${CLUSTER}/${file.path}` }))
    const manifest: Manifest = { format: 1, ingot: version, ...cluster, files: [...files, ...dataFiles] }
    await writeManifest(draft, manifest)
    // Renaming replaces an empty folder.
    await rename(draft, targetFolder)
    await syncFolder(parent)
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (errorCodeOf(error) === 'ENOSPC' || errorCodeOf(error) === 'EDQUOT')
      throw new StartError(`The backup does not fit on the disk of '${parent}': make room there, or give another --to.`)
    throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Requires that a folder is empty or missing. @throws StartError */
export async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return []
    throw errorCodeOf(error) === 'ENOTDIR' ? new StartError(`'${folder}' is not a folder: give another path.`) : error
  })
  if (names.some((name) => name !== '.gitignore'))
    throw new StartError(`'${folder}' is not empty: give an empty folder, or one that does not exist yet.`)
}

/** Copies the data folder without the database and without unfinished uploads. */
async function copyOtherData(dataFolder: string, target: string): Promise<readonly CopiedFile[]> {
  const { files } = await filesBelow(dataFolder, (path) => {
    const [top = ''] = path.split('/')
    return !/^(?:postgres|incoming)(?:$|\.)/.test(top) && !basename(path).startsWith('.')
  })
  const copied: CopiedFile[] = []
  for (const path of files) {
    try {
      copied.push({ path: `${DATA}/${path}`, ...(await copyFile(join(dataFolder, path), join(target, path))) })
    } catch (error) {
      // The file was replaced, or no row has named it for hours.
      if (errorCodeOf(error) !== 'ENOENT') throw error
    }
  }
  return copied
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const handle = await open(join(folder, MANIFEST), 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(manifest, null, 1)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(folder)
}
