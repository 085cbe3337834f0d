/** Does what a row asks, to its end. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removeAllData } from '../../../web/transfer/clean.ts'
import { describeRefusal } from '../../../web/transfer/sentence.ts'
import { StartError } from '../../../core/start-error.ts'
import { BlobFolder } from '../deploys/blobs.ts'
import { addDeploy, deployDone } from '../deploys/rows.ts'
import { giveCopy } from './clone.ts'
import { makeExport } from './export.ts'
import { fetched } from './fetched.ts'
import { bringIn } from './import.ts'
import { ProgressNotes, sentPath, TransferRefused, type TransferParts } from './parts.ts'
import { endTransfer, findTransfer, type TransferOf, type TransferRow } from './rows.ts'
import { takeCopy } from './take-copy.ts'
import { takeUploads } from './uploads.ts'

/** What all transfers of a process share. */
export interface TransferProcessParts extends Omit<TransferParts, 'row' | 'folder' | 'blobs' | 'progress'> {
  /** Folder for what is being done; this process alone uses it. */
  readonly folder: string
  /** Ends what is being done. */
  readonly over: AbortSignal
  /** Writes to the log of the site what came of a row. */
  tell(row: TransferRow, error: string | null, warnings: readonly string[]): void
}

/**
 * Does what a row asks, and ends it.
 * @throws the errors of the database client and of the machine: the row is then begun anew
 */
export async function doTransfer(all: TransferProcessParts, row: TransferRow): Promise<void> {
  const folder = join(all.folder, row.id)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const blobs = new BlobFolder(join(folder, 'files'))
  await blobs.open()
  const parts: TransferParts = {
    ...all,
    row,
    folder,
    blobs,
    progress: new ProgressNotes(all.sql, row.id),
  }
  try {
    await done(parts, all.over)
    const ended = await findTransfer(all.sql, row.request.kind, row.id)
    all.tell(row, null, ended?.result.warnings ?? [])
  } catch (error) {
    const why = error instanceof TransferRefused || error instanceof StartError ? error.message : describeRefusal(error)
    if (why === null) throw error
    await endTransfer(all.sql, row.id, 'failed', { error: why })
    all.tell(row, why, [])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function done(parts: TransferParts, over: AbortSignal): Promise<void> {
  const { request } = parts.row
  switch (request.kind) {
    case 'export':
      return makeExport(parts, request)
    case 'import':
      return bringIn(parts, { path: await importPath(parts, request), ...request, changing: false })
    case 'update':
      return bringIn(parts, { path: await sentPath(parts, request.key), form: 'json', changing: true })
    case 'uploads':
      return takeUploads(parts, request)
    case 'clean':
      return clean(parts, request, over)
    case 'copy':
      return giveCopy(parts, request)
    case 'clone':
      return takeCopy(parts, request, over)
  }
}

/** The file of an import: one that was sent, or one that is fetched from where an address says. */
function importPath(parts: TransferParts, { key, address }: TransferOf<'import'>): Promise<string> {
  return key === null ? fetched(parts, address ?? '', join(parts.folder, 'fetched')) : sentPath(parts, key)
}

/**
 * Removes the data of the site, and where that is asked the site itself, which takes no table along that has rows. What was written until its
 * pages were gone goes last.
 */
async function clean({ sql, row }: TransferParts, { site }: TransferOf<'clean'>, over: AbortSignal): Promise<void> {
  if (site) {
    await sql.begin(removeAllData)
    const cleared = await deployDone(sql, await addDeploy(sql, { kind: 'clear' }), over)
    if (cleared === null) throw new Error('the process ends')
    if (cleared.status === 'error')
      throw new TransferRefused(`The data was removed, and the site could not be: ${cleared.result.failure ?? ''}`)
  }
  await sql.begin(async (transaction) => {
    await removeAllData(transaction)
    await endTransfer(transaction, row.id, 'done', {})
  })
}
