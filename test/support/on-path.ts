/** Finds installed programs that some tests need. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns the path of a program. Null if it is not on the PATH. */
export function onPath(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // The program is not in this folder.
    }
  }
  return null
}
