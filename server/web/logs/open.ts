/** Opens the site's log. Entries are written to the process's log and to the table `ingot.logs`. */
import type { Logger, SiteLog } from '../../core/contracts/log.ts'
import { isFor, processLog } from '../../core/services/log.ts'
import type { Environment } from '../../core/settings.ts'
import { createClient } from '../../data/store/connection.ts'
import { readDatabaseUrl } from '../../data/store/database-url.ts'
import { failureRow, entryRow } from './stored-row.ts'
import type { LogRow } from './model.ts'
import { createLogWriter } from './writer.ts'

export interface LogOptions {
  readonly environment: Environment
  readonly logger: Logger
}

/** The open log. */
export interface Logs extends SiteLog {
  /** Stores an entry that a worker thread has sent. */
  store(row: LogRow): void
  /** Writes the remaining entries. */
  close(): Promise<void>
}

/** Opens a log that writes to a database. It uses a separate connection that opens with the first entry. */
export function openLogs(url: string, options: LogOptions): Logs {
  const sql = createClient(readDatabaseUrl(url, 'DATABASE_URL'), { pool: 1, name: 'ingot logs' })
  const writer = createLogWriter(sql, options.logger)
  const store = (row: LogRow): void => writer.add(row)
  return { ...siteLog(options, store), store, close: () => writer.close() }
}

/** Creates a log whose rows are passed to a callback, for example in a worker thread. */
export function siteLog({ environment, logger }: LogOptions, onRow: (row: LogRow) => void): SiteLog {
  const processEntries = processLog(logger, environment)
  return {
    write(entry, origin) {
      processEntries.write(entry, origin)
      if (isFor(entry, environment)) onRow(entryRow(entry, origin))
    },
    failed(failure, origin) {
      processEntries.failed(failure, origin)
      onRow(failureRow(failure, origin))
    },
    keep: (entry, origin) => onRow(entryRow(entry, origin)),
  }
}
