/** Executes transfers. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { forgetMigrations } from '../../../operate/jobs/migration-states.ts'
import { removeAllData } from '../../../web/transfer/clean.ts'
import { describeRefusal } from '../../../web/transfer/sentence.ts'
import { StartError } from '../../../core/start-error.ts'
import { BlobFolder } from '../deploys/blobs.ts'
import { addDeploy, waitForDeploy } from '../deploys/rows.ts'
import { sendCopy } from './clone.ts'
import { makeExport } from './export.ts'
import { downloadArchive } from './download-archive.ts'
import { importData } from './import.ts'
import { ProgressReporter, sentPath, TransferRefused, type TransferContext } from './parts.ts'
import { endTransfer, findTransfer, type TransferOf, type TransferRow } from './rows.ts'
import { importCopy } from './import-copy.ts'
import { importUploads } from './uploads.ts'

/** The services that all transfers of a process share. */
export interface TransferProcessContext extends Omit<TransferContext, 'row' | 'folder' | 'blobs' | 'progress'> {
  /** Folder for temporary files; only this process uses it. */
  readonly folder: string
  /** Aborts the current transfer. */
  readonly over: AbortSignal
  /** Logs the outcome of a row in the site's log. */
  report(row: TransferRow, error: string | null, warnings: readonly string[]): void
}

/**
 * Executes a row, and ends it.
 * @throws database and system errors; the row is then executed again
 */
export async function executeTransfer(all: TransferProcessContext, row: TransferRow): Promise<void> {
  const folder = join(all.folder, row.id)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const blobs = new BlobFolder(join(folder, 'files'))
  await blobs.open()
  const parts: TransferContext = {
    ...all,
    row,
    folder,
    blobs,
    progress: new ProgressReporter(all.sql, row.id),
  }
  try {
    await execute(parts, all.over)
    const ended = await findTransfer(all.sql, row.request.kind, row.id)
    all.report(row, null, ended?.result.warnings ?? [])
  } catch (error) {
    const reason =
      error instanceof TransferRefused || error instanceof StartError ? error.message : describeRefusal(error)
    if (reason === null) throw error
    await endTransfer(all.sql, row.id, 'failed', { error: reason })
    all.report(row, reason, [])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function execute(parts: TransferContext, over: AbortSignal): Promise<void> {
  const { request } = parts.row
  switch (request.kind) {
    case 'export':
      return makeExport(parts, request)
    case 'import':
      return importData(parts, { path: await importPath(parts, request), ...request, changing: false })
    case 'update':
      return importData(parts, { path: await sentPath(parts, request.key), form: 'json', changing: true })
    case 'uploads':
      return importUploads(parts, request)
    case 'clean':
      return clean(parts, request, over)
    case 'copy':
      return sendCopy(parts, request)
    case 'clone':
      return importCopy(parts, request, over)
  }
}

/** Returns the path of an import's file, which was uploaded, or is downloaded from an address. */
function importPath(parts: TransferContext, { key, address }: TransferOf<'import'>): Promise<string> {
  return key === null ? downloadArchive(parts, address ?? '', join(parts.folder, 'fetched')) : sentPath(parts, key)
}

/**
 * Removes the data of the site, and on request the site itself. The data is removed first, because tables with rows block the removal of
 * the site, and again at the end, because pages may have written rows meanwhile. The migrations of a site that is deployed later run again,
 * because what they have created is gone.
 */
async function clean({ sql, row }: TransferContext, { site }: TransferOf<'clean'>, over: AbortSignal): Promise<void> {
  if (site) {
    await sql.begin(removeAllData)
    const cleared = await waitForDeploy(sql, await addDeploy(sql, { kind: 'clear' }), over)
    if (cleared === null) throw new Error('the process is stopping')
    if (cleared.status === 'error')
      throw new TransferRefused(
        `The data was removed, but the site could not be removed: ${cleared.result.failure ?? ''}`,
      )
  }
  await sql.begin(async (transaction) => {
    await removeAllData(transaction)
    if (site) await forgetMigrations(transaction)
    await endTransfer(transaction, row.id, 'done', {})
  })
}
