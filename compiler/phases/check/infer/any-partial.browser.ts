/** In a browser any template may be entered by its name, with any values: nothing is known of what a computed name can do. */
import type { Steps } from '../../../core/model/steps.ts'

export type AnyPartial = null

export function* anyPartial(): Steps<null> {
  yield
  return null
}
