/** Starts the browser for tests: the installed Chromium. */
import { onPath } from '../support/on-path.ts'

/**
 * Returns the path of Chromium, or null if it is not on the PATH; browser tests are then skipped. The headless shell is preferred, because
 * it needs a third less CPU time.
 */
export function browserProgram(): string | null {
  return onPath('chromium-headless-shell') ?? onPath('chromium') ?? onPath('chromium-browser')
}
