/** `deep_clone`: a deep copy of a value. */
import { deepCopy } from '../../values/copy.ts'
import type { Value } from '../types.ts'

export const dialect = 'platform'

/**
 * A copy of a hash or array and of all its nested values.
 * @throws ArgumentFault for a value nested without end
 */
export function deep_clone(input: Value): unknown {
  return deepCopy(input)
}
