/** In a browser a site is read as a whole each time. */
import type { LinkedFiles } from './edited.ts'

export function afterEdits(): LinkedFiles | null {
  return null
}

export function isAlikeToOthers(): boolean {
  return false
}
