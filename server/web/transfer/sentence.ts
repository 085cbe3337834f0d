/** What is said of an import or an export that could not be done. */
import { failureOf } from '../../data/store/failure.ts'
import { DataError } from './rows.ts'

/** The sentence for an error of a file or the database; null for unexpected errors. */
export function sentenceOf(error: unknown): string | null {
  return failureOf(error)?.sentence ?? refusalOf(error)
}

/** The sentence for data that cannot go in, whoever tries it and whenever; null for all other errors. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof DataError) return error.message
  // The checks cannot foresee rows that are written concurrently, or constraints and triggers that the owner has added.
  if (failureOf(error) === null && error instanceof Error && error.name === 'PostgresError')
    return `The database refuses it: ${error.message}.`
  return null
}
