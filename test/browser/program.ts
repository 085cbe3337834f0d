/** The browser that the tests drive: the machine's own Chromium. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of Chromium, null where it is not on the PATH: then the browser tests are left out. */
export function browserProgram(): string | null {
  return onPath('chromium') ?? onPath('chromium-browser')
}

function onPath(name: string): string | null {
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
