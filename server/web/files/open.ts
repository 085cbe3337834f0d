/** Opens the file service of a process from its settings. */
import { dirname, join } from 'node:path'
import type { Sql } from 'postgres'
import { ownFolder, removeLeftovers } from '../../core/leftovers.ts'
import type { S3Settings } from '../../core/settings.ts'
import type { MaintenanceLog } from '../../data/store/indexes.ts'
import { createFiles, type FileService, type FilesOptions } from './files.ts'
import { createLocalStore } from './local.ts'
import type { OwnFiles } from './own-files.ts'
import { createS3Store } from './s3.ts'
import { createSigner } from './signature.ts'
import { scheduleRemoval } from './remove-unused.ts'

/** Milliseconds between cleanups. A process in another container counts as ended after it was silent for a while. */
const REMOVE_EVERY = 600_000

export interface OpenFilesOptions {
  readonly sql: Sql
  /** Watches the database; see `FilesOptions`. */
  readonly primary?: FilesOptions['primary']
  /** The installation's secret (`readSecret`). */
  readonly secret: string
  readonly dataFolder: string
  /** Maximum size of a file in bytes. */
  readonly uploadLimit: number
  /** Null stores files in the data folder. */
  readonly s3: S3Settings | null
  /** Finds an asset by its URL; see `OwnFiles`. */
  readonly asset: OwnFiles['asset']
  /** Prefix of asset URLs; see `OwnFiles`. */
  readonly assetsUrl?: OwnFiles['assetsUrl']
  /** `Settings.originOverrides`. */
  readonly originOverrides?: FilesOptions['originOverrides']
  readonly logger: MaintenanceLog
}

export interface OpenedFiles {
  readonly service: FileService
  /** Folder of incoming files, for the listener. */
  readonly incoming: string
  close(): void
}

/** Opens the file service and starts its nightly cleanup. */
export function openFiles(options: OpenFilesOptions): OpenedFiles {
  const {
    sql,
    secret,
    dataFolder,
    uploadLimit,
    s3,
    asset,
    assetsUrl = null,
    originOverrides = {},
    logger,
    primary,
  } = options
  const store = s3 === null ? createLocalStore(join(dataFolder, 'files')) : createS3Store(s3)
  const incoming = ownFolder(incomingFolder(dataFolder))
  const stopCleanup = removeLeftIncoming(dirname(incoming), logger)
  const service = createFiles({
    store,
    sql,
    ...(primary !== undefined && { primary }),
    signer: createSigner(secret),
    asset,
    assetsUrl,
    incoming,
    limit: uploadLimit,
    originOverrides,
  })
  const stopRemoval = scheduleRemoval({ sql, store }, logger)
  return {
    ...{ service, incoming },
    close() {
      stopRemoval()
      stopCleanup()
    },
  }
}

/**
 * Regularly removes incoming files of crashed processes.
 * @returns a function that stops it
 */
function removeLeftIncoming(folder: string, logger: MaintenanceLog): () => void {
  const remove = (): void => {
    removeLeftovers(folder).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn({}, `Files of interrupted uploads in '${folder}' cannot be removed: ${reason}`)
    })
  }
  remove()
  const timer = setInterval(remove, REMOVE_EVERY)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Returns the folder for incoming files of all processes. It is in the data folder, so that files are moved within one
 * disk.
 */
function incomingFolder(dataFolder: string): string {
  return join(dataFolder, 'incoming')
}
