/** `deep_clone`: a copy of a value that shares nothing with it. */
import { deepCopy } from '../../values/copy.ts'
import type { Value } from '../types.ts'

export const dialect = 'platform'

/**
 * A copy of a hash or array and of all that is in it.
 * @throws ArgumentFault for a value nested without end
 */
export function deep_clone(input: Value): unknown {
  return deepCopy(input)
}
