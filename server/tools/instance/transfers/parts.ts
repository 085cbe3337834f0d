/** What transfers work with. */
import type { ISql, Sql } from 'postgres'
import type { FileService } from '../../../web/files/files.ts'
import type { AddressFilter } from '../../../core/net/addresses.ts'
import type { Releases } from '../../../operate/releases/model.ts'
import type { ReadySettings } from '../../../core/settings.ts'
import type { Addresses } from '../addresses.ts'
import type { BlobFolder } from '../deploys/blobs.ts'
import { sentDigest } from '../sent-keys.ts'
import { noteProgress, type TransferRow } from './rows.ts'
import type { ServedData } from './site.ts'

export interface TransferParts {
  /** At least three connections: an import's transaction, a short one beside it, and progress. */
  readonly sql: Sql
  readonly settings: ReadySettings
  readonly releases: Releases
  readonly site: ServedData
  readonly files: FileService
  readonly addresses: Addresses
  /** Which addresses may be asked. */
  readonly reachable: AddressFilter
  /** Folder of this transfer, which is removed after it. */
  readonly folder: string
  /** Files of the database, in that folder. */
  readonly blobs: BlobFolder
  readonly row: TransferRow
  readonly progress: ProgressNotes
}

/** Why a transfer ends as failed, in sentences for whoever has asked for it. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}

/** Milliseconds between two notes. */
const NOTE_EVERY = 500

/** Tells how far a transfer is, without keeping it waiting. */
export class ProgressNotes {
  readonly #sql: ISql
  readonly #id: string
  #phase = ''
  #at = 0
  #busy = false

  constructor(sql: ISql, id: string) {
    this.#sql = sql
    this.#id = id
  }

  /** @param of how many there are; null when that is not known */
  tell(phase: string, rows: number, of: number | null): void {
    const now = performance.now()
    if (this.#busy || (phase === this.#phase && now - this.#at < NOTE_EVERY)) return
    this.#phase = phase
    this.#at = now
    this.#busy = true
    // It is for people: a note that is lost is followed by another one.
    noteProgress(this.#sql, this.#id, { phase, rows, of })
      .catch(() => undefined)
      .finally(() => {
        this.#busy = false
      })
  }
}

/** The path of a file that was sent, or made, under a key. @throws TransferRefused where none is */
export async function sentPath({ sql, blobs }: TransferParts, key: string): Promise<string> {
  const digest = await sentDigest(sql, key)
  if (digest === null)
    throw new TransferRefused('The file was not sent, or is too old to be there still: send it again.')
  return blobs.get(sql, digest)
}
