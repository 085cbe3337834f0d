/** Errors of the system that do not say which file they are about: those of writing, such as a full disk. */

/**
 * Waits for what writes a file.
 * @param path of the file, which an error names unless it names another
 * @throws Error of the file system, with its path
 */
export async function naming<T>(path: string, writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (error instanceof Error && 'code' in error && !('path' in error)) Object.assign(error, { path })
    throw error
  }
}
