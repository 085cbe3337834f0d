/** Stand-in for browsers: a site is always prepared from scratch. */
import type { LinkedFiles } from './edited.ts'

export function afterEdits(): LinkedFiles | null {
  return null
}

export function isAlikeToOthers(): boolean {
  return false
}
