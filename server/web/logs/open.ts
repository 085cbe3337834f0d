/** Opens the site's log, which writes to the process's own log and to the database. */
import type { Logger, SiteLog } from '../../core/contracts/log.ts'
import { isFor, processLog } from '../../core/services/log.ts'
import type { Environment } from '../../core/settings.ts'
import { createClient } from '../../data/store/connection.ts'
import { readDatabaseUrl } from '../../data/store/database-url.ts'
import { failureRow, rowOf } from './entry.ts'
import type { LogRow } from './model.ts'
import { createLogWriter } from './writer.ts'

export interface LogOptions {
  readonly environment: Environment
  readonly logger: Logger
}

export interface Logs extends SiteLog {
  /** Stores an entry that a thread has sent. */
  keep(row: LogRow): void
  /** Writes the remaining entries. */
  close(): Promise<void>
}

/** A log that writes to a database, over a connection of its own that opens with the first entry. */
export function openLogs(url: string, options: LogOptions): Logs {
  const sql = createClient(readDatabaseUrl(url, 'DATABASE_URL'), { pool: 1, name: 'ingot logs' })
  const writer = createLogWriter(sql, options.logger)
  const keep = (row: LogRow): void => writer.add(row)
  return { ...siteLog(options, keep), keep, close: () => writer.close() }
}

/** A log whose entries the caller stores, as in a thread. */
export function siteLog({ environment, logger }: LogOptions, keep: (row: LogRow) => void): SiteLog {
  const lines = processLog(logger, environment)
  return {
    write(entry, origin) {
      lines.write(entry, origin)
      if (isFor(entry, environment)) keep(rowOf(entry, origin))
    },
    failed(failure, origin) {
      lines.failed(failure, origin)
      keep(failureRow(failure, origin))
    },
  }
}
