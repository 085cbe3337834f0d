/** What the database did for one request: for the developer's `Server-Timing`, and to tell a lost database from a broken page. */
export interface Meter {
  statements: number
  /** Spent waiting for the database. */
  milliseconds: number
  /** Whether the database could not be reached. */
  unreachable: boolean
}

export function newMeter(): Meter {
  return { statements: 0, milliseconds: 0, unreachable: false }
}
