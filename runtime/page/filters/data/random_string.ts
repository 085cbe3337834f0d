/** `random_string`: random letters and digits. */
import { ArgumentFault } from '../../fault.ts'
import { integerArgument } from '../numbers.ts'
import type { Numeric, Render } from '../types.ts'

export const dialect = 'platform'

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const MAX_LENGTH = 100_000

/**
 * `length` letters and digits from the host's random source; 12 when the length is nil.
 * @throws ArgumentFault for a length that is no integer from 0 to 100,000
 */
export function random_string(r: Render, length: Numeric = 12): string {
  const count = length === null || length === undefined ? 12 : integerArgument(length, 'random_string', 'length')
  if (count < 0 || count > MAX_LENGTH)
    throw new ArgumentFault(`random_string filter - length must be 0 to ${MAX_LENGTH}`)
  let out = ''
  while (out.length < count) {
    for (const byte of r.services.random.bytes(count - out.length + 8)) {
      // 248 is four times 62: larger bytes would make the first letters more likely.
      if (byte < 248 && out.length < count) out += SIGNS[byte % 62]
    }
  }
  return out
}
