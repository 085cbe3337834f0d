/** Creates the data folder, closed to other users regardless of the umask. */
import { chmod, mkdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCodeOf } from '../../../core/error-code.ts'

/**
 * The rights to folders that root creates. PostgreSQL runs as another user and must be able to enter them. Other users cannot list the
 * names
 * in them, and everything in them is closed.
 */
const TRAVERSABLE = 0o711
const OWNER_ONLY = 0o700

/**
 * Creates a data folder and its missing parents.
 * @returns whether the folder was missing
 */
export async function makeDataFolder(path: string): Promise<boolean> {
  const missingNames: string[] = []
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missingNames.unshift(at)
  // Creates one level after the other, because Node's recursive `mkdir` never returns below /proc, where no folders can be created.
  for (const folder of missingNames) {
    try {
      await mkdir(folder, { mode: OWNER_ONLY })
    } catch (error) {
      // Another process creates the folder at the same time and sets its rights.
      if (errorCodeOf(error) !== 'EEXIST') throw error
      continue
    }
    if (process.getuid?.() === 0) await chmod(folder, TRAVERSABLE)
  }
  // This call fails when a file exists in place of the folder.
  await mkdir(path, { recursive: true, mode: OWNER_ONLY })
  return missingNames.length > 0
}
