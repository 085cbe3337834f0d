/** The codes of errors of the system. */

/** Returns the code of an error of the system, such as `ENOENT`, or null for any other error. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
