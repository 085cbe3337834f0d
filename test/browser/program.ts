/** Starts the browser for tests: the installed Chromium. */
import { onPath } from '../support/on-path.ts'

/**
 * Path of Chromium, null where it is not on the PATH: then the browser tests are left out. Where there is its shell, which has no windows,
 * it is taken: the pages are the same, for two thirds of the processor time.
 */
export function browserProgram(): string | null {
  return onPath('chromium-headless-shell') ?? onPath('chromium') ?? onPath('chromium-browser')
}
