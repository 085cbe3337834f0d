/** Makes the data folder, closed to other users with any umask. */
import { chmod, mkdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../../../core/error-code.ts'

/**
 * The rights to folders that root makes: PostgreSQL runs as another user and must be able to pass through. Others see no
 * names there, and whatever is in it is closed.
 */
const PASSED_THROUGH = 0o711
const CLOSED = 0o700

/** Creates a data folder with its parents. @returns whether it was not there */
export async function makeDataFolder(path: string): Promise<boolean> {
  const missing: string[] = []
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  // One level after the other: below /proc, where folders cannot be created, the recursive `mkdir` of Node never returns.
  for (const folder of missing) {
    try {
      await mkdir(folder, { mode: CLOSED })
    } catch (error) {
      // Another process makes it at the same time, and sees to its rights.
      if (codeOf(error) !== 'EEXIST') throw error
      continue
    }
    if (process.getuid?.() === 0) await chmod(folder, PASSED_THROUGH)
  }
  // A file where the folder should be is reported as such.
  await mkdir(path, { recursive: true, mode: CLOSED })
  return missing.length > 0
}
