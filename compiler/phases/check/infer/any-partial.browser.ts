/** In a browser any template may be entered by name, with any values: the effect of a computed name is unknown. */
import type { Steps } from '../../../core/model/steps.ts'

export type AnyPartial = null

export function* anyPartial(): Steps<null> {
  yield
  return null
}
