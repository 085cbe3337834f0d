/** The stored form of a log entry. */

export interface LogRow {
  readonly at: Date
  /** The tag's `type`; `error` for errors. */
  readonly type: string
  readonly message: string
  /** JSON text of an object. */
  readonly data: string
}

/** A stored entry that was read. */
export interface KeptEntry {
  /** Ascending. */
  readonly id: string
  readonly createdAt: Date
  readonly type: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Notification channel for new entries. */
export const LOGGED = 'ingot_logs'
