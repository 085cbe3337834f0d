/** `ingot backup` and `ingot restore`: back up and restore the embedded database and the files of a site. */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readCommandLine } from '../core/command-line.ts'
import { openDatabase } from '../data/database.ts'
import { createLogger } from '../core/services/log.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { DATA_FOLDER } from '../data/store/postgres/embedded.ts'
import { makeBackup } from '../operate/backup/backup.ts'
import { findBackup, newBackupPath, removeOldBackups } from '../operate/backup/dated.ts'
import { CLUSTER, type Manifest } from '../operate/backup/manifest.ts'
import { restoreBackup, verifyBackup } from '../operate/backup/restore.ts'

/** The parsed command line of `ingot backup`. @internal Exported for tests. */
export interface BackupLine {
  /** The site's folder. */
  readonly dir: string
  /** The folder that gets the backup, in a folder named by its time. */
  readonly to: string
  /** The number of backups to keep in the folder; null for all. */
  readonly keep: number | null
}

/** The parsed command line of `ingot restore`. @internal Exported for tests. */
export interface RestoreLine {
  readonly backup: string
  readonly dir: string
  readonly archive: string | null
  readonly until: Date | null
  readonly files: string | null
  /** Whether to check only the digests of the backup. */
  readonly isCheck: boolean
}

/**
 * Runs `ingot backup`.
 * @param args the arguments after `backup`
 * @returns the exit code
 * @throws StartError
 */
export async function backupCommand(args: readonly string[], settings: Settings, version: string): Promise<number> {
  const { dir, to, keep } = readBackupLine(args)
  requireEmbedded(settings)
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new StartError(`There is no folder '${dir}': give the folder of a site.`)
  const folder = resolve(settings.dataFolder ?? join(dir, DATA_FOLDER))
  if (!statSync(join(folder, 'postgres'), { throwIfNoEntry: false })?.isDirectory())
    throw new StartError(`There is no database in '${folder}' yet: give the folder of a site that has been served.`)
  const startedAt = performance.now()
  const database = await openDatabase(settings, dir, createLogger('warn', true, process.stderr))
  try {
    const { databaseUrl, dataFolder } = database.settings
    const target = await newBackupPath(to, new Date())
    const manifest = await makeBackup({ databaseUrl, dataFolder, target, version })
    process.stdout.write(`Backed up ${formatContents(manifest)} into ${target} in ${seconds(startedAt)}.\n`)
    const removed = keep === null ? 0 : await removeOldBackups(to, keep)
    if (removed > 0) process.stdout.write(`Removed ${removed === 1 ? '1 older backup' : `${removed} older backups`}.\n`)
    if (settings.s3 !== null)
      process.stdout.write(
        'The backup does not include files in the S3 bucket: enable versioning there to protect them.\n',
      )
  } finally {
    await database.close()
  }
  return 0
}

/**
 * Runs `ingot restore`.
 * @param args the arguments after `restore`
 * @returns the exit code
 * @throws StartError
 */
export async function restoreCommand(args: readonly string[], settings: Settings): Promise<number> {
  const given = readRestoreLine(args, settings.walArchive)
  const line = { ...given, backup: await findBackup(given.backup, given.until) }
  const startedAt = performance.now()
  if (line.isCheck) {
    const manifest = await verifyBackup(line.backup)
    process.stdout.write(
      `The backup in ${line.backup} is complete: ${formatContents(manifest)}, finished at ${manifest.finishedAt}.\n`,
    )
    return 0
  }
  requireEmbedded(settings)
  const dataFolder = resolve(settings.dataFolder ?? join(line.dir, DATA_FOLDER))
  const manifest = await restoreBackup({ ...line, dataFolder })
  const state =
    line.until === null
      ? line.archive === null
        ? manifest.finishedAt
        : 'the end of the archive'
      : line.until.toISOString()
  process.stdout.write(
    `Restored ${formatContents(manifest)} into ${dataFolder}, as of ${state}, in ${seconds(startedAt)}.\n`,
  )
  return 0
}

function requireEmbedded({ databaseUrl }: Settings): void {
  if (databaseUrl === null) return
  throw new StartError(
    'DATABASE_URL names an external PostgreSQL, which `ingot backup` and `ingot restore` do not handle: use its own tools, such as pgBackRest.',
  )
}

/** Parses the arguments after `ingot backup`. @throws StartError @internal Exported for tests. */
export function readBackupLine(args: readonly string[]): BackupLine {
  const { words, value } = readCommandLine('ingot backup', args, { switches: [], values: ['to', 'keep'] })
  const to = value('to')
  if (to === null) throw new StartError('`ingot backup` needs a folder for the backups: --to FOLDER.')
  const keep = value('keep')
  if (keep !== null && !/^[1-9]\d{0,3}$/.test(keep))
    throw new StartError(`--keep cannot be '${keep}': give the number of backups to keep, from 1 to 9999.`)
  if (words.length > 1) throw new StartError(`\`ingot backup\` takes one folder of a site, not ${words.length}.`)
  return { dir: words[0] ?? '.', to, keep: keep === null ? null : Number(keep) }
}

/**
 * Parses the arguments after `ingot restore`.
 * @param archive archive of the write-ahead log from the settings; used when --until is given without --wal
 * @throws StartError
 * @internal Exported for tests.
 */
export function readRestoreLine(args: readonly string[], archive: string | null): RestoreLine {
  const { words, value, has } = readCommandLine('ingot restore', args, {
    switches: ['check'],
    values: ['wal', 'until', 'files'],
  })
  const [backup, dir = '.', ...otherWords] = words
  if (backup === undefined) throw new StartError('`ingot restore` needs the folder of a backup.')
  if (otherWords.length > 0) throw new StartError('`ingot restore` takes only a backup and the folder of a site.')
  const moment = value('until')
  const until = moment === null ? null : parseTime(moment)
  const wal = value('wal') ?? (until === null ? null : archive)
  if (until !== null && wal === null)
    throw new StartError('--until needs the archive of the write-ahead log: --wal FOLDER, or INGOT_WAL_ARCHIVE.')
  return { backup, dir, until, archive: wal, files: value('files'), isCheck: has('check') }
}

function parseTime(text: string): Date {
  // A time without a zone would depend on the machine.
  const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)$/.test(text)
    ? new Date(text)
    : null
  if (time === null || Number.isNaN(time.getTime()))
    throw new StartError(`--until cannot be '${text}': give a time with its zone, such as 2026-02-28T12:30:00Z.`)
  return time
}

function formatContents({ files }: Manifest): string {
  const database = files.filter(({ path }) => path.startsWith(`${CLUSTER}/`))
  const others = files.length - database.length
  const bytes = (some: Manifest['files']) => some.reduce((sum, { size }) => sum + size, 0)
  const rest = bytes(files) - bytes(database)
  return `a database of ${megabytes(bytes(database))} and ${others} ${others === 1 ? 'file' : 'files'} (${megabytes(rest)})`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

function seconds(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}
