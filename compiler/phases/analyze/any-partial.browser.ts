/** In a browser, any template may be rendered by name with any values. The effect of a call with a computed name is therefore unknown. */
import type { Steps } from '../../core/model/steps.ts'

export type AnyPartial = null

export function* anyPartial(): Steps<null> {
  yield
  return null
}
