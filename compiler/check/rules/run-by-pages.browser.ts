/** In a browser any template may be entered by its name. */
import type { Steps } from '../../model/steps.ts'

export function* runByPages(): Steps<() => boolean> {
  yield
  return () => true
}
