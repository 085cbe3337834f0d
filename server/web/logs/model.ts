/** Types of stored log entries. */

/** A log entry to store. */
export interface LogRow {
  readonly at: Date
  /** The type that the tag was given; `error` for errors. */
  readonly type: string
  readonly message: string
  /** JSON text of an object. */
  readonly data: string
}

/** A stored log entry. */
export interface StoredEntry {
  /** Ascending number. */
  readonly id: string
  readonly createdAt: Date
  readonly type: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** PostgreSQL notification channel for new entries. */
export const LOG_CHANNEL = 'ingot_logs'
