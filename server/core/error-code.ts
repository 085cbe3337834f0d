/** What errors of the system, of the database client and of PostgreSQL are told apart by. */

/** The code of an error of the system, the client or PostgreSQL; null when it has none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
