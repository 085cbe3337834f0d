/** An entry of the site's log, as it is kept. */

export interface LogRow {
  readonly at: Date
  /** As the tag says; of errors, `error`. */
  readonly type: string
  readonly message: string
  /** JSON of an object. */
  readonly data: string
}

/** One that was read. */
export interface KeptEntry {
  /** Grows. */
  readonly id: string
  readonly createdAt: Date
  readonly type: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Channel of the database on which servers tell that there are new entries. */
export const LOGGED = 'ingot_logs'
