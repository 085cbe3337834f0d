/** Names the written file in system errors: those of a full disk have no path, and those of an unfinished file have another one. */

/**
 * Waits for a write operation.
 * @param path of the file; unfinished ones have names that begin with it
 * @throws Error of the file system, with its path
 */
export async function withErrorPath<T>(path: string, writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    const isNamed = error instanceof Error && 'path' in error && !String(error.path).startsWith(path)
    if (error instanceof Error && 'code' in error && !isNamed) Object.assign(error, { path })
    throw error
  }
}
