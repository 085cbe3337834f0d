/** Reads the codes of errors from the system, the database client and PostgreSQL. */

/** Returns the code of an error; null when it has none. */
export function errorCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
