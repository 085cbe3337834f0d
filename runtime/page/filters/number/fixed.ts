/** Formats numbers with a fixed number of decimal places. */
import { isInteger, multiply, toNumeral, type Numeral, numberText, round, toNumber } from '../../values/number.ts'

/**
 * Returns a number rounded half away from zero, with exactly `places` decimal places and no exponent.
 * @throws ArgumentFault for Infinity and NaN
 */
export function formatFixed(value: unknown, places: number): string {
  const n = toNumeral(value)
  const units = isInteger(n) ? multiply(n, 10n ** BigInt(places)) : scale(n, places)
  const digits = numberText(units)
  if (places === 0) return digits
  const size = digits.replace('-', '').padStart(places + 1, '0')
  const sign = digits.startsWith('-') || (toNumber(n) < 0 && Number(size) !== 0) ? '-' : ''
  return `${sign}${size.slice(0, -places)}.${size.slice(-places)}`
}

function scale(n: Numeral, places: number): Numeral {
  return round(multiply(n, toNumeral(`1${'0'.repeat(places)}.0`)), 0)
}
