/** The services that transfers get from their process. */
import type { ISql, Sql } from 'postgres'
import type { FileService } from '../../../web/files/files.ts'
import type { AddressFilter } from '../../../core/net/addresses.ts'
import type { Releases } from '../../../operate/releases/model.ts'
import type { ReadySettings } from '../../../core/settings.ts'
import type { Addresses } from '../addresses.ts'
import type { BlobFolder } from '../deploys/blobs.ts'
import { sentDigest } from '../sent-keys.ts'
import { recordProgress, type TransferRow } from './rows.ts'
import type { ServedData } from './site.ts'

export interface TransferContext {
  /** Client with at least three connections: for an import's transaction, for short statements, and for progress. */
  readonly sql: Sql
  readonly settings: ReadySettings
  readonly releases: Releases
  readonly site: ServedData
  readonly files: FileService
  readonly addresses: Addresses
  /** Decides which addresses may be contacted. */
  readonly reachable: AddressFilter
  /** Temporary folder of this transfer. */
  readonly folder: string
  /** Files from the database, in the temporary folder. */
  readonly blobs: BlobFolder
  readonly row: TransferRow
  readonly progress: ProgressReporter
}

/** Thrown when a transfer fails. The message is for the client. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}

/** Milliseconds between two progress updates. */
const UPDATE_INTERVAL = 500

/** Stores the progress of a transfer, without delaying it. */
export class ProgressReporter {
  readonly #sql: ISql
  readonly #id: string
  #phase = ''
  #at = 0
  #busy = false

  constructor(sql: ISql, id: string) {
    this.#sql = sql
    this.#id = id
  }

  /** Reports progress. @param of the total number of rows; null when it is unknown */
  report(phase: string, rows: number, of: number | null): void {
    const now = performance.now()
    if (this.#busy || (phase === this.#phase && now - this.#at < UPDATE_INTERVAL)) return
    this.#phase = phase
    this.#at = now
    this.#busy = true
    // Errors are ignored, because the next update follows soon.
    recordProgress(this.#sql, this.#id, { phase, rows, of })
      .catch(() => undefined)
      .finally(() => {
        this.#busy = false
      })
  }
}

/** Returns the path of the file with a key. @throws TransferRefused when there is none */
export async function sentPath({ sql, blobs }: TransferContext, key: string): Promise<string> {
  const digest = await sentDigest(sql, key)
  if (digest === null) throw new TransferRefused('The file was not sent, or has expired: send it again.')
  return blobs.get(sql, digest)
}
