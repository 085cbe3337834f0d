/** The files of a process, by its settings. */
import { join } from 'node:path'
import type { Sql } from 'postgres'
import type { S3Settings } from '../settings.ts'
import type { ChoreLog } from '../store/indexes.ts'
import { createFiles, type FileService, type FilesOptions } from './files.ts'
import { localStore } from './local.ts'
import type { OwnFiles } from './own.ts'
import { s3Store } from './s3.ts'
import { createSigner } from './signature.ts'
import { sweepDaily } from './sweep.ts'

export interface OpenFilesOptions {
  readonly sql: Sql
  /** Of the installation (`readSecret`). */
  readonly secret: string
  readonly dataFolder: string
  /** Bytes of a file. */
  readonly uploadLimit: number
  /** Null keeps files in the data folder. */
  readonly s3: S3Settings | null
  /** See `OwnFiles`. */
  readonly asset: OwnFiles['asset']
  /** `Settings.standIns`. */
  readonly standIns?: FilesOptions['standIns']
  readonly logger: ChoreLog
}

export interface OpenedFiles {
  readonly desk: FileService
  /** Folder of files that are on their way, for the listener. */
  readonly incoming: string
  close(): void
}

/** Opens the files, and sweeps them every night. */
export function openFiles(options: OpenFilesOptions): OpenedFiles {
  const { sql, secret, dataFolder, uploadLimit, s3, asset, standIns = {}, logger } = options
  const store = s3 === null ? localStore(join(dataFolder, 'files')) : s3Store(s3)
  const incoming = incomingFolder(dataFolder)
  const desk = createFiles({ store, sql, signer: createSigner(secret), asset, incoming, limit: uploadLimit, standIns })
  return { desk, incoming, close: sweepDaily({ sql, store }, incoming, logger) }
}

/** Beside the kept files, on the same disk. */
export function incomingFolder(dataFolder: string): string {
  return join(dataFolder, 'incoming')
}
