/** Adds the path to system errors that do not contain it, such as errors of writing to a full disk. */

/**
 * Waits for a write operation.
 * @param path of the file, which is added to an error without a path
 * @throws Error of the file system, with its path
 */
export async function withErrorPath<T>(path: string, writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (error instanceof Error && 'code' in error && !('path' in error)) Object.assign(error, { path })
    throw error
  }
}
