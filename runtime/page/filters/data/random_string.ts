/** `random_string`: random letters and digits. */
import { ArgumentFault } from '../../fault.ts'
import { integerArgument } from '../number-arguments.ts'
import type { Numeric, Render } from '../types.ts'

export const dialect = 'platform'

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const MAX_LENGTH = 100_000

/** Minimum length of a string that sites may use as a password. */
const PASSWORD_LENGTH = 8
/** Kinds of characters that password rules require. */
const KINDS = [/[A-Z]/, /[a-z]/, /\d/]
/**
 * Maximum number of draws. One in five strings of ten characters lacks a kind, so only a broken random source would need more draws.
 */
const MAX_DRAWS = 100

/**
 * `length` letters and digits from the host's random source; 12 when the length is nil. From eight characters on,
 * they include an upper-case letter, a lower-case letter and a digit, so that the string always passes password
 * rules that require them.
 * @throws ArgumentFault for a length that is not an integer from 0 to 100,000
 */
export function random_string(r: Render, length: Numeric = 12): string {
  const count = length === null || length === undefined ? 12 : integerArgument(length, 'random_string', 'length')
  if (count < 0 || count > MAX_LENGTH)
    throw new ArgumentFault(`random_string filter - length must be 0 to ${MAX_LENGTH}`)
  let out = drawString(r, count)
  for (let draws = 1; draws < MAX_DRAWS && lacksKind(out); draws++) out = drawString(r, count)
  return out
}

function lacksKind(text: string): boolean {
  return text.length >= PASSWORD_LENGTH && !KINDS.every((kind) => kind.test(text))
}

function drawString(r: Render, count: number): string {
  let out = ''
  while (out.length < count) {
    for (const byte of r.services.random.bytes(count - out.length + 8)) {
      // 248 is four times 62. Larger bytes would make the first letters more likely.
      if (byte < 248 && out.length < count) out += CHARACTERS[byte % 62]
    }
  }
  return out
}
