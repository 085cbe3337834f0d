/** In a browser a site is checked as a whole each time. */
import type { LinkedInput } from './edited-input.ts'

export function afterEdits(): LinkedInput | null {
  return null
}
