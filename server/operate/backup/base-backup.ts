/**
 * A base backup of a running cluster: copies its files between PostgreSQL's backup functions, with the write-ahead log of that time.
 * See "Making a Base Backup Using the Low Level API" in PostgreSQL's manual.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { errorCodeOf } from '../../core/error-code.ts'
import { StartError } from '../../core/start-error.ts'
import { copyFile, digestOf, filesBelow } from './copy-files.ts'
import type { CopiedFile, Manifest } from './manifest.ts'

/** Folders whose contents the server recreates when it starts. */
const RECREATED_FOLDERS = new Set(
  ['dynshmem', 'notify', 'replslot', 'serial', 'snapshots', 'stat_tmp', 'subtrans', 'wal'].map((name) => `pg_${name}`),
)
/** Files of the running server and its temporary data. */
const SERVER_FILES =
  /(?:^|\/)(?:postmaster\.(?:pid|opts)|backup_label|tablespace_map|recovery\.signal|standby\.signal|pg_internal\.init[^/]*|pgsql_tmp[^/]*|server\.log[^/]*|ingot\.conf\.\d+|\.s\.PGSQL[^/]*)$/
const CONTROL_FILE = 'global/pg_control'
/** Number of attempts to read the control file consistently. */
const MAX_READ_ATTEMPTS = 20

export type ClusterCopy = Pick<
  Manifest,
  'postgres' | 'system' | 'startedAt' | 'finishedAt' | 'firstSegment' | 'lastSegment' | 'files' | 'folders'
>

interface BackupStart {
  readonly system: string
  readonly version: number
  readonly segment: string
  readonly at: Date
}

/**
 * Copies a running cluster.
 * @param sql a separate session, because a backup belongs to the session that began it
 * @param cluster the cluster's folder
 * @param target a folder, which is created
 * @throws StartError when the cluster has data outside of its folder
 */
export async function copyCluster(sql: Sql, cluster: string, target: string): Promise<ClusterCopy> {
  const started = await begin(sql)
  const { files, empty } = await filesBelow(cluster, isBackedUp)
  if (files.some((path) => path.startsWith('pg_tblspc/')))
    throw new StartError(
      'The database has tablespaces outside of its folder, which `ingot backup` does not copy: use the tools of PostgreSQL.',
    )
  const copied: CopiedFile[] = []
  for (const path of files) {
    if (path === CONTROL_FILE) continue
    const file = await copyIfExists(join(cluster, path), join(target, path))
    if (file !== null) copied.push({ path, ...file })
  }
  copied.push({ path: CONTROL_FILE, ...(await copyControl(cluster, target)) })
  const { label, segment, at } = await end(sql)
  const labelFile = join(target, 'backup_label')
  await writeFile(labelFile, label, { mode: 0o600, flush: true })
  copied.push({ path: 'backup_label', ...(await digestOf(labelFile)) })
  const lastSegment = segment
  copied.push(...(await copyLog(sql, cluster, target, started.segment, lastSegment)))
  return {
    postgres: Math.floor(started.version / 10_000),
    system: started.system,
    startedAt: started.at.toISOString(),
    finishedAt: at.toISOString(),
    firstSegment: started.segment,
    lastSegment,
    files: copied,
    folders: [...new Set([...empty, ...RECREATED_FOLDERS])].filter((path) => path !== 'pg_wal').toSorted(),
  }
}

function isBackedUp(path: string): boolean {
  const [top = '', ...below] = path.split('/')
  return !(below.length > 0 && RECREATED_FOLDERS.has(top)) && !SERVER_FILES.test(path)
}

/** Begins the backup. A replication slot keeps the write-ahead log until the session ends. */
async function begin(sql: Sql): Promise<BackupStart> {
  await sql`select pg_create_physical_replication_slot('ingot_backup_' || pg_backend_pid(), true, true)`
  const [row] = await sql<BackupStart[]>`
    with started as materialized (select pg_backup_start('ingot', fast => true) as lsn)
    select system_identifier::text as system, current_setting('server_version_num')::int as version,
      pg_walfile_name(lsn) as segment, now() as at
    from started, pg_control_system()`
  if (row === undefined) throw new Error('PostgreSQL did not say where the backup begins')
  return row
}

/** Ends the backup. The write-ahead log up to the returned segment contains all that was committed before. */
async function end(sql: Sql): Promise<{ readonly label: string; readonly segment: string; readonly at: Date }> {
  const [row] = await sql<{ label: string; segment: string; at: Date }[]>`
    with ended as materialized (select * from pg_backup_stop(wait_for_archive => false))
    select labelfile as label, pg_walfile_name(lsn) as segment, clock_timestamp() as at from ended`
  if (row === undefined) throw new Error('PostgreSQL did not say where the backup ends')
  return row
}

/** Copies a file; returns null when it has vanished, which the write-ahead log records. */
async function copyIfExists(source: string, target: string): Promise<Awaited<ReturnType<typeof copyFile>> | null> {
  try {
    return await copyFile(source, target)
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Copies the control file. The server rewrites it in place, so it is read until two readings are equal. */
async function copyControl(cluster: string, target: string): Promise<Awaited<ReturnType<typeof digestOf>>> {
  const source = join(cluster, CONTROL_FILE)
  let before = await readFile(source)
  for (let attempt = 0; attempt < MAX_READ_ATTEMPTS; attempt++) {
    const now = await readFile(source)
    if (now.equals(before)) {
      const file = join(target, CONTROL_FILE)
      await writeFile(file, now, { mode: 0o600, flush: true })
      return digestOf(file)
    }
    before = now
  }
  throw new StartError('The control file of the database changes faster than it can be read: try again.')
}

/** Copies the write-ahead log of the backup, and the history of its timelines. */
async function copyLog(
  sql: Sql,
  cluster: string,
  target: string,
  first: string,
  last: string,
): Promise<readonly CopiedFile[]> {
  const rows = await sql<{ name: string }[]>`
    select name from pg_ls_waldir()
    where name ~ '^[0-9A-F]{24}$' and name between ${first} and ${last} or name ~ '^[0-9A-F]{8}[.]history$' order by 1`
  const copied: CopiedFile[] = []
  for (const { name } of rows) {
    const path = `pg_wal/${name}`
    copied.push({ path, ...(await copyFile(join(cluster, path), join(target, path))) })
  }
  return copied
}
