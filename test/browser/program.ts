/** The browser that the tests drive: the machine's own Chromium. */
import { onPath } from '../on-path.ts'

/** Path of Chromium, null where it is not on the PATH: then the browser tests are left out. */
export function browserProgram(): string | null {
  return onPath('chromium') ?? onPath('chromium-browser')
}
