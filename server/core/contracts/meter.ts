/**
 * Measures the database use of one request: for the developer's `Server-Timing` header, and to distinguish an unavailable
 * database from a faulty page.
 */
export interface Meter {
  statements: number
  /** Whether a statement was to change data. */
  hasWritten: boolean
  /** Time spent waiting for the database. */
  milliseconds: number
  /** Whether the database could not be reached. */
  unreachable: boolean
}

export function newMeter(): Meter {
  return { statements: 0, hasWritten: false, milliseconds: 0, unreachable: false }
}
