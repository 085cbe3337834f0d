/** Messages for imports and exports that failed. */
import { failureOf } from '../../data/store/failure.ts'
import { DataError } from './rows.ts'

/** Returns the message for an error of a file or the database, or null for unexpected errors. */
export function describeFailure(error: unknown): string | null {
  return failureOf(error)?.sentence ?? describeRefusal(error)
}

/** Returns the message for data that can never be imported, or null for all other errors. */
export function describeRefusal(error: unknown): string | null {
  if (error instanceof DataError) return error.message
  // The checks cannot foresee rows that are written concurrently, or constraints and triggers that the owner has added.
  if (failureOf(error) === null && error instanceof Error && error.name === 'PostgresError')
    return `The database rejected the data: ${error.message}.`
  return null
}
