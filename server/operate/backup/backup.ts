/** Makes a backup of a data folder: the embedded database while it runs, uploaded files, and the installation's secret. */
import { mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf } from '../../core/error-code.ts'
import { ownMark, removeLeft } from '../../core/leftovers.ts'
import { StartError } from '../../core/start-error.ts'
import { createSession } from '../../data/store/connection.ts'
import { readDatabaseUrl } from '../../data/store/database-url.ts'
import { copyCluster } from './base.ts'
import { syncFolder } from '../../data/store/postgres/sync-folder.ts'
import { copyFile, filesBelow } from './copy.ts'
import { CLUSTER, type CopiedFile, KEPT, MANIFEST, type Manifest } from './manifest.ts'

export interface BackupOptions {
  /** URL of the embedded database. */
  readonly databaseUrl: string
  /** The data folder, which holds the database's. */
  readonly dataFolder: string
  /** Where the backup is to stand; it must not be there yet, or be empty. */
  readonly target: string
  readonly version: string
}

/**
 * Makes a backup. It stands whole at its place, or not at all.
 * @throws StartError
 */
export async function makeBackup({ databaseUrl, dataFolder, target, version }: BackupOptions): Promise<Manifest> {
  const place = resolve(target)
  const parent = dirname(place)
  await requireEmpty(place)
  await mkdir(parent, { recursive: true })
  const prefix = `.${basename(place)}.`
  await removeLeft(parent, prefix)
  const draft = await mkdtemp(join(parent, `${prefix}${ownMark()}-`))
  const sql = createSession(readDatabaseUrl(databaseUrl, 'DATABASE_URL'), 'ingot backup', () => undefined)
  try {
    const cluster = await copyCluster(sql, join(dataFolder, 'postgres'), join(draft, CLUSTER))
    // Behind the database: a file is there before the row that names it, and stays for hours after no row does.
    const kept = await copyKept(dataFolder, join(draft, KEPT))
    const files = cluster.files.map((file) => ({ ...file, path: `${CLUSTER}/${file.path}` }))
    const manifest: Manifest = { format: 1, ingot: version, ...cluster, files: [...files, ...kept] }
    await writeManifest(draft, manifest)
    // An empty folder at its place gives way.
    await rename(draft, place)
    await syncFolder(parent)
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT')
      throw new StartError(`The backup does not fit on the disk of '${parent}': make room there, or give another --to.`)
    throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** @throws StartError where a folder holds something */
export async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw codeOf(error) === 'ENOTDIR' ? new StartError(`'${folder}' is no folder.`) : error
  })
  if (names.some((name) => name !== '.gitignore'))
    throw new StartError(`'${folder}' is not empty: give a folder that is not there yet.`)
}

/** Copies what the data folder holds beside the database, but for uploads that are under way. */
async function copyKept(dataFolder: string, target: string): Promise<readonly CopiedFile[]> {
  const { files } = await filesBelow(dataFolder, (path) => {
    const [top = ''] = path.split('/')
    return !/^(?:postgres|incoming)(?:$|\.)/.test(top) && !basename(path).startsWith('.')
  })
  const copied: CopiedFile[] = []
  for (const path of files) {
    try {
      copied.push({ path: `${KEPT}/${path}`, ...(await copyFile(join(dataFolder, path), join(target, path))) })
    } catch (error) {
      // No row has named a file that vanishes for hours, or it was replaced.
      if (codeOf(error) !== 'ENOENT') throw error
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
