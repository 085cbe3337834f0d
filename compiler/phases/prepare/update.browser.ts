/** Replacement for browsers: a site is always prepared from scratch. */
import type { LinkedFiles } from './update.ts'

export function updateAfterEdits(): LinkedFiles | null {
  return null
}

export function differsOnlyInBodies(): boolean {
  return false
}
