/** `random_string`: random letters and digits. */
import { ArgumentFault } from '../../fault.ts'
import { integerArgument } from '../numbers.ts'
import type { Numeric, Render } from '../types.ts'

export const dialect = 'platform'

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const MAX_LENGTH = 100_000

/** From this length on a string is long enough for a password, and sites make passwords of them. */
const PASSWORD_LENGTH = 8
/** What rules for passwords ask for. */
const KINDS = [/[A-Z]/, /[a-z]/, /\d/]
/** Of ten signs one in five strings lacks a kind, so that more draws than these only a broken source needs. */
const MOST_DRAWS = 100

/**
 * `length` letters and digits from the host's random source; 12 when the length is nil. From eight on there are a capital, a small letter
 * and a digit among them: as a password it passes rules that ask for them, and not only most of the time.
 * @throws ArgumentFault for a length that is no integer from 0 to 100,000
 */
export function random_string(r: Render, length: Numeric = 12): string {
  const count = length === null || length === undefined ? 12 : integerArgument(length, 'random_string', 'length')
  if (count < 0 || count > MAX_LENGTH)
    throw new ArgumentFault(`random_string filter - length must be 0 to ${MAX_LENGTH}`)
  let out = drawn(r, count)
  for (let draws = 1; draws < MOST_DRAWS && lacksKind(out); draws++) out = drawn(r, count)
  return out
}

function lacksKind(text: string): boolean {
  return text.length >= PASSWORD_LENGTH && !KINDS.every((kind) => kind.test(text))
}

function drawn(r: Render, count: number): string {
  let out = ''
  while (out.length < count) {
    for (const byte of r.services.random.bytes(count - out.length + 8)) {
      // 248 is four times 62: larger bytes would make the first letters more likely.
      if (byte < 248 && out.length < count) out += SIGNS[byte % 62]
    }
  }
  return out
}
