/** Programs of the machine that some tests need. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of a program, null where it is not on the PATH. */
export function onPath(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder.
    }
  }
  return null
}
