/**
 * Liquid's numbers: Integer (a safe JavaScript integer, or a bigint beyond) and Float (a non-integral JavaScript
 * number, or `Float` for an integral value). Arithmetic is decimal, as in the reference: 0.1 + 0.2 is 0.3.
 */
import { ArgumentFault, LimitFault } from '../fault.ts'
import { Boxed, BoxedText } from './boxed.ts'

/** A float with an integral value: `3.0`, `-0.0`, `1e17`. */
export class Float extends Boxed {
  readonly $value: number
  constructor(value: number) {
    super()
    this.$value = value
  }
}

export type Numeral = number | bigint | Float

/** Returns `n` as a Float. The number is boxed when JavaScript could not distinguish it from an integer. */
export function float(n: number): number | Float {
  return Number.isInteger(n) ? new Float(n) : n
}

export function isNumber(value: unknown): value is Numeral {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Float
}

export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'bigint'
}

export function isFloat(value: unknown): value is number | Float {
  return typeof value === 'number' ? !Number.isSafeInteger(value) : value instanceof Float
}

/** Returns the nearest JavaScript number. */
export function toNumber(n: Numeral): number {
  return typeof n === 'number' ? n : typeof n === 'bigint' ? Number(n) : n.$value
}

/** Maximum number of digits of an integer, because repeated `times` could double them without limit. */
const MAX_DIGITS = 20_000
const MAX_INTEGER = 10n ** BigInt(MAX_DIGITS)

/**
 * Converts a bigint to an Integer.
 * @throws LimitFault beyond 20,000 digits
 */
export function integer(n: bigint): number | bigint {
  if (n >= -9007199254740991n && n <= 9007199254740991n) return Number(n)
  if (n > MAX_INTEGER || n < -MAX_INTEGER) throw new LimitFault('an integer grew beyond 20000 digits', 'output')
  return n
}

/**
 * Converts an operand of arithmetic: a number is unchanged, and a text becomes its number or its leading integer. All other values become
 * 0.
 */
export function toNumeral(value: unknown): Numeral {
  return typeof value === 'number' ? value : toNumeralSlow(value)
}

function toNumeralSlow(value: unknown): Numeral {
  if (typeof value === 'bigint' || value instanceof Float) return value
  if (typeof value === 'string') return parseNumeral(value)
  return value instanceof BoxedText ? parseNumeral(value.$text) : 0
}

/** A decimal number, surrounded at most by Ruby's whitespace. */
const DECIMAL = /^[ \t-\r]*(-?\d+\.\d+)[ \t-\r]*$/

function parseNumeral(text: string): Numeral {
  const short = shortInteger(text)
  if (short >= 0) return short
  const fraction = DECIMAL.exec(text)?.[1]
  return fraction === undefined ? leadingInteger(text) : float(Number(fraction))
}

/**
 * Returns the integer at the start of a text (`12 apples`, `+5.5`, `1_000`), or otherwise 0.
 * @throws LimitFault beyond 20,000 digits
 */
export function leadingInteger(text: string): number | bigint {
  const short = shortInteger(text)
  if (short >= 0) return short
  const digits = /^[ \t-\r]*([-+]?)(\d+(?:_\d+)*)/.exec(text)
  if (digits === null) return 0
  const digitsOnly = (digits[2] ?? '').replaceAll('_', '')
  if (digitsOnly.length < 16) return digits[1] === '-' ? 0 - Number(digitsOnly) : Number(digitsOnly)
  return parseBigInteger(digitsOnly, digits[1] === '-')
}

/** Returns the integer of a text of 1 to 15 digits, without a regular expression; -1 for other texts. */
function shortInteger(text: string): number {
  if (text.length === 0 || text.length > 15) return -1
  let n = 0
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return -1
    n = n * 10 + digit
  }
  return n
}

function parseBigInteger(digits: string, negative: boolean): number | bigint {
  if (digits.length > MAX_DIGITS) throw new LimitFault('an integer grew beyond 20000 digits', 'output')
  return integer(negative ? -BigInt(digits) : BigInt(digits))
}

/** Returns the text before a NUL when the number has an underscore. After other numbers, Ruby rejects a NUL. */
function truncateAtNul(text: string): string {
  const nul = text.indexOf('\0')
  return nul >= 0 && /[1-9a-f][0-9a-f]*_/i.test(text.slice(0, nul)) ? text.slice(0, nul) : text
}

const PREFIXED = /^([-+]?)0([xbod])([0-9a-f]+(?:_[0-9a-f]+)*)$/i

/**
 * Converts an integer argument: an integer, or a text that is exactly one (`'2'`, `' 7 '`, `'0x1f'`). Results are
 * clamped to safe integers.
 * @throws ArgumentFault `invalid integer`
 */
export function toInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  if (typeof value === 'bigint') return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER
  // An integral number of a host may be beyond the safe range. It is converted to the integer that JavaScript prints.
  if (typeof value === 'number' && Number.isInteger(value)) return toInteger(BigInt(value))
  const writtenNumber = typeof value === 'string' ? value : value instanceof BoxedText ? value.$text : ''
  const text = truncateAtNul(writtenNumber).replace(/^[ \t-\r]+|[ \t-\r]+$/g, '')
  if (/^[-+]?(?:0|[1-9]\d*(?:_\d+)*)$/.test(text)) return toInteger(leadingInteger(text))
  const octal = /^([-+]?)0_?([0-7]+(?:_[0-7]+)*)$/.exec(text)
  if (octal !== null) return parseBased(octal[1] ?? '', 'o', octal[2] ?? '')
  const prefixed = PREFIXED.exec(text)
  if (prefixed !== null) return parseBased(prefixed[1] ?? '', prefixed[2] ?? '', prefixed[3] ?? '')
  throw new ArgumentFault('invalid integer')
}

function parseBased(sign: string, base: string, digits: string): number {
  const digitsOnly = digits.replaceAll('_', '')
  const value = Number(base === 'd' || base === 'D' ? digitsOnly : `0${base}${digitsOnly}`)
  if (Number.isNaN(value)) throw new ArgumentFault('invalid integer')
  return Math.min(Number.MAX_SAFE_INTEGER, value) * (sign === '-' ? -1 : 1) + 0
}

/** Returns the text that a number prints: integers in full, floats as `3.0`, `1.0e+15`, `1.0e-05`. */
export function numberText(value: Numeral): string {
  return typeof value === 'number' && (value | 0) === value ? `${value}` : printSlow(value)
}

function printSlow(value: Numeral): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `${value}` : floatText(value)
  return typeof value === 'bigint' ? value.toString() : floatText(value.$value)
}

function floatText(n: number): string {
  const size = Math.abs(n)
  if (n === 0) return Object.is(n, -0) ? '-0.0' : '0.0'
  if (!Number.isFinite(n)) return `${n}`
  // Numbers with a fraction get an exponent only below 0.0001. Whole numbers get an exponent from sixteen digits on.
  const isWhole = Number.isInteger(n)
  if (isWhole ? size < 1e15 : size >= 1e-4) return isWhole ? `${n}.0` : `${n}`
  const [mantissa = '', exponent = ''] = n.toExponential().split('e')
  const digits = exponent.slice(1)
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${exponent[0]}${digits.length < 2 ? '0' : ''}${digits}`
}

// Decimal arithmetic. Most floats are short decimals, so a pair of plain numbers (units, decimal places) represents
// them exactly. All others use bigint.

interface Decimal {
  readonly units: bigint
  /** The number of decimal places, which may be negative. The value is `units / 10 ** places`. */
  readonly places: number
}

const POWERS: readonly number[] = Array.from({ length: 23 }, (_, n) => Number(`1e${n}`))

/** Returns `10 ** n`, from a table where possible. */
function powerOfTen(n: number): number {
  return POWERS[n] ?? 10 ** n
}

/** The number of decimal places that are tried before a number is converted to a text. */
const SHORT_PLACES = 4

/** Returns the decimal places of a finite number with at most 15 significant digits and no exponent, otherwise -1. */
function decimalPlaces(n: number): number {
  if (Number.isInteger(n)) return Math.abs(n) < 1e15 ? 0 : -1
  // A division of exact integers is rounded correctly, and only one decimal of at most 15 digits gives each number.
  for (let places = 1; places <= SHORT_PLACES; places++) {
    const power = powerOfTen(places)
    if (Math.abs(n) * power >= 1e15) break
    if (Math.round(n * power) / power === n) return places
  }
  const text = `${n}`
  if (text.length > 17 || text.includes('e')) return -1
  const places = text.length - text.indexOf('.') - 1
  return Math.abs(n) * powerOfTen(places) < 1e15 ? places : -1
}

/**
 * Returns the integer `n * 10 ** places`. Below 1e15 the error of the product is less than a quarter, so rounding is
 * exact.
 */
function toUnits(n: number, places: number): number {
  return Math.round(n * powerOfTen(places))
}

/** Returns the number for the fast decimal path, with `Float` unwrapped; NaN for a bigint. */
function toDouble(n: Numeral): number {
  return typeof n === 'number' ? n : typeof n === 'bigint' ? Number.NaN : n.$value
}

function toDecimal(n: Numeral): Decimal {
  if (typeof n === 'bigint') return { units: n, places: 0 }
  const text = `${toNumber(n)}`
  const [mantissa = '', exponent] = text.split('e')
  const point = mantissa.indexOf('.')
  const places = (point < 0 ? 0 : mantissa.length - point - 1) - (exponent === undefined ? 0 : Number(exponent))
  return { units: BigInt(mantissa.replace('.', '')), places }
}

function floatFromUnits(units: bigint, places: number): number | Float {
  return float(Number(`${units}e${-places}`))
}

/** Converts both numbers to the same number of decimal places. */
function alignPlaces(a: Decimal, b: Decimal): { a: bigint; b: bigint; places: number } {
  const places = Math.max(a.places, b.places)
  return { a: a.units * 10n ** BigInt(places - a.places), b: b.units * 10n ** BigInt(places - b.places), places }
}

function isFiniteNumeral(n: Numeral): boolean {
  return typeof n === 'bigint' || Number.isFinite(toNumber(n))
}

/** Returns the sum of two operands. @throws LimitFault beyond 20,000 digits */
export function add(a: unknown, b: unknown): Numeral {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum) && Number.isSafeInteger(a) && Number.isSafeInteger(b)) return sum
  }
  return addSlow(toNumeral(a), toNumeral(b))
}

function addSlow(a: Numeral, b: Numeral): Numeral {
  if (isInteger(a) && isInteger(b)) return integer(BigInt(a) + BigInt(b))
  const x = toDouble(a)
  const y = toDouble(b)
  const leftPlaces = decimalPlaces(x)
  const right = leftPlaces < 0 ? -1 : decimalPlaces(y)
  if (right >= 0) {
    const places = Math.max(leftPlaces, right)
    const sum = toUnits(x, places) + toUnits(y, places)
    if (Math.abs(x) * powerOfTen(places) < 1e15 && Math.abs(y) * powerOfTen(places) < 1e15) {
      return float(sum / powerOfTen(places))
    }
  }
  if (!isFiniteNumeral(a) || !isFiniteNumeral(b)) return toNumber(a) + toNumber(b)
  const aligned = alignPlaces(toDecimal(a), toDecimal(b))
  return floatFromUnits(aligned.a + aligned.b, aligned.places)
}

/** Returns the difference of two operands. @throws LimitFault beyond 20,000 digits */
export function subtract(a: unknown, b: unknown): Numeral {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (Number.isSafeInteger(difference) && Number.isSafeInteger(a) && Number.isSafeInteger(b)) return difference
  }
  return addSlow(toNumeral(a), negate(b))
}

/** Returns the operand with its sign changed. @internal Exported for tests. */
export function negate(value: unknown): Numeral {
  const n = toNumeral(value)
  if (typeof n === 'bigint') return integer(-n)
  if (typeof n === 'number') return Number.isSafeInteger(n) ? 0 - n : -n
  return new Float(-n.$value)
}

/** Returns the product of two operands. @throws LimitFault beyond 20,000 digits */
export function multiply(a: unknown, b: unknown): Numeral {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    // Adding 0 converts the -0 of `0 * -5` to the integer 0.
    if (Number.isSafeInteger(product) && Number.isSafeInteger(a) && Number.isSafeInteger(b)) return product + 0
  }
  return multiplySlow(toNumeral(a), toNumeral(b))
}

function multiplySlow(a: Numeral, b: Numeral): Numeral {
  if (isInteger(a) && isInteger(b)) return integer(BigInt(a) * BigInt(b))
  const x = toDouble(a)
  const y = toDouble(b)
  const leftPlaces = decimalPlaces(x)
  const right = decimalPlaces(y)
  if (leftPlaces >= 0 && right >= 0 && leftPlaces + right < POWERS.length) {
    const product = toUnits(x, leftPlaces) * toUnits(y, right)
    if (Math.abs(product) < 9e15) return float(product / powerOfTen(leftPlaces + right))
  }
  if (!isFiniteNumeral(a) || !isFiniteNumeral(b)) return toNumber(a) * toNumber(b)
  const leftDecimal = toDecimal(a)
  const rightDecimal = toDecimal(b)
  return floatFromUnits(leftDecimal.units * rightDecimal.units, leftDecimal.places + rightDecimal.places)
}

/**
 * Returns the quotient of two operands. Two integers round down; a float on either side gives a float.
 * @throws ArgumentFault `divided by 0` for an integer divided by the integer zero
 */
export function divide(a: unknown, b: unknown): Numeral {
  if (typeof a === 'number' && typeof b === 'number') {
    if (b !== 0 && Number.isSafeInteger(a) && Number.isSafeInteger(b))
      return Math.floor(a / b) + quotientCorrection(a, b)
  }
  return divideSlow(toNumeral(a), toNumeral(b))
}

/** Corrects the quotient of doubles when it was rounded up to an integer (only beyond 2^52 / b). */
function quotientCorrection(a: number, b: number): number {
  if (a < 4503599627370496 && a > -4503599627370496) return 0
  return Number(floorDivide(BigInt(a), BigInt(b)) - BigInt(Math.floor(a / b)))
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient
}

function divideSlow(a: Numeral, b: Numeral): Numeral {
  if (isInteger(a) && isInteger(b)) {
    if (b === 0) throw new ArgumentFault('divided by 0')
    return integer(floorDivide(BigInt(a), BigInt(b)))
  }
  if (!isFiniteNumeral(a) || !isFiniteNumeral(b) || toNumber(b) === 0) return float(toNumber(a) / toNumber(b))
  const leftDecimal = toDecimal(a)
  const rightDecimal = toDecimal(b)
  // Forty significant digits, and one more digit if there is a remainder, are enough to find the nearest double.
  const shift = Math.max(0, 40 + `${rightDecimal.units}`.length - `${leftDecimal.units}`.length)
  const scaled = leftDecimal.units * 10n ** BigInt(shift)
  const quotient = scaled / rightDecimal.units
  const remainder = scaled - quotient * rightDecimal.units
  const places = leftDecimal.places - rightDecimal.places + shift
  if (remainder === 0n) return floatFromUnits(quotient, places)
  return floatFromUnits(quotient * 10n + (leftDecimal.units < 0n === rightDecimal.units < 0n ? 1n : -1n), places + 1)
}

/** Returns the remainder with the sign of the divisor. @throws ArgumentFault `divided by 0` for any zero divisor */
export function modulo(a: unknown, b: unknown): Numeral {
  if (typeof a === 'number' && typeof b === 'number') {
    if (b !== 0 && Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
      const remainder = a % b
      return (remainder !== 0 && remainder < 0 !== b < 0 ? remainder + b : remainder) + 0
    }
  }
  return moduloSlow(toNumeral(a), toNumeral(b))
}

function moduloSlow(a: Numeral, b: Numeral): Numeral {
  if (b === 0 || toNumber(b) === 0) throw new ArgumentFault('divided by 0')
  if (isInteger(a) && isInteger(b)) return integer(floorModulo(BigInt(a), BigInt(b)))
  if (!isFiniteNumeral(a) || Number.isNaN(toNumber(b))) return Number.NaN
  if (!isFiniteNumeral(b))
    return toNumber(a) < 0 === toNumber(b) < 0 || toNumber(a) === 0 ? float(toNumber(a)) : toNumber(b)
  const aligned = alignPlaces(toDecimal(a), toDecimal(b))
  return floatFromUnits(floorModulo(aligned.a, aligned.b), aligned.places)
}

function floorModulo(a: bigint, b: bigint): bigint {
  const remainder = a % b
  return remainder !== 0n && remainder < 0n !== b < 0n ? remainder + b : remainder
}

/** Returns the absolute value of an operand, of the same type. */
export function abs(value: unknown): Numeral {
  const n = toNumeral(value)
  if (typeof n === 'number') return Math.abs(n)
  if (typeof n === 'bigint') return n < 0n ? -n : n
  return new Float(Math.abs(n.$value))
}

/** Converts a whole double to an Integer. @throws ArgumentFault for Infinity and NaN */
function wholeToInteger(n: number): number | bigint {
  if (Number.isSafeInteger(n)) return n + 0
  if (Number.isNaN(n)) throw new ArgumentFault("Computation results in 'NaN' (Not a Number)")
  if (!Number.isFinite(n)) throw new ArgumentFault(`Computation results in '${n}'`)
  return integer(BigInt(n))
}

/** Rounds an operand up to an Integer. @throws ArgumentFault for Infinity and NaN */
export function ceil(value: unknown): number | bigint {
  const n = toNumeral(value)
  return typeof n === 'bigint' ? n : wholeToInteger(Math.ceil(toNumber(n)))
}

/** Rounds an operand down to an Integer. @throws ArgumentFault for Infinity and NaN */
export function floor(value: unknown): number | bigint {
  return typeof value === 'number' && (value | 0) === value ? value | 0 : floorSlow(toNumeral(value))
}

function floorSlow(n: Numeral): number | bigint {
  return typeof n === 'bigint' ? n : wholeToInteger(Math.floor(toNumber(n)))
}

/**
 * Rounds an operand half away from zero to `digits` decimal places. Zero or fewer digits give an Integer.
 * @throws ArgumentFault for Infinity and NaN when an Integer is needed
 */
export function round(value: unknown, digits: number): Numeral {
  const n = toNumeral(value)
  if (isInteger(n)) return digits >= 0 ? n : roundInteger(n, -digits)
  if (digits <= 0) return roundWhole(n, -digits)
  const x = toNumber(n)
  const places = decimalPlaces(x)
  if (places >= 0) {
    if (places <= digits) return n
    return float(roundUnits(toUnits(x, places), powerOfTen(places - digits)) / powerOfTen(digits))
  }
  if (!Number.isFinite(x)) return x
  const exact = toDecimal(n)
  if (exact.places <= digits) return n
  // A double has at most 1100 decimal places, so the power stays small.
  if (exact.places - digits > 400) return new Float(0)
  return floatFromUnits(roundUnitsExactly(exact.units, 10n ** BigInt(exact.places - digits)), digits)
}

function roundUnits(units: number, step: number): number {
  const size = Math.abs(units)
  const remainder = size % step
  const quotient = (size - remainder) / step + (remainder * 2 >= step ? 1 : 0)
  return units < 0 ? -quotient : quotient
}

function roundUnitsExactly(units: bigint, step: bigint): bigint {
  const size = units < 0n ? -units : units
  const remainder = size % step
  const quotient = size / step + (remainder * 2n >= step ? 1n : 0n)
  return units < 0n ? -quotient : quotient
}

function roundInteger(n: number | bigint, tens: number): number | bigint {
  if (tens > MAX_DIGITS) return 0
  const step = 10n ** BigInt(tens)
  return integer(roundUnitsExactly(BigInt(n), step) * step)
}

function roundWhole(n: Numeral, tens: number): number | bigint {
  const x = toNumber(n)
  if (tens === 0 && Math.abs(x) < 4503599627370496) {
    const places = decimalPlaces(x)
    if (places >= 0) return roundUnits(toUnits(x, places), powerOfTen(places)) + 0
  }
  if (!Number.isFinite(x)) return wholeToInteger(x)
  const exact = toDecimal(n)
  if (exact.places <= -tens) return integer(exact.units * 10n ** BigInt(-exact.places))
  if (exact.places + tens > 800) return 0
  const step = 10n ** BigInt(exact.places + tens)
  return integer(roundUnitsExactly(exact.units, step) * 10n ** BigInt(tens))
}

/** Returns the order of two numbers: negative, 0 or positive; NaN when either is NaN. */
export function compareNumbers(a: Numeral, b: Numeral): number {
  if (typeof a === 'bigint' || typeof b === 'bigint') {
    const x = a instanceof Float ? a.$value : a
    const y = b instanceof Float ? b.$value : b
    return x < y ? -1 : x > y ? 1 : Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 0
  }
  const x = toNumber(a)
  const y = toNumber(b)
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN
}
