/**
 * Measures the database use of one request: for the developer's `Server-Timing` header, and to distinguish an unavailable
 * database from a faulty page.
 */
import type { Recording } from './recording.ts'

export interface Meter {
  statements: number
  /** Whether a statement was to change data. */
  hasWritten: boolean
  /** Time spent waiting for the database. */
  milliseconds: number
  /** Whether the database could not be reached. */
  unreachable: boolean
  /** Returns the recording of the request; null when nothing is recorded. */
  readonly recording: () => Recording | null
}

export function newMeter(recording: Meter['recording'] = () => null): Meter {
  return { statements: 0, hasWritten: false, milliseconds: 0, unreachable: false, recording }
}
