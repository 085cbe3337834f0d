/** `advanced_format`: a value formatted by `sprintf`. */
import { ArgumentFault } from '../../fault.ts'
import { floor, toNumeral, toNumber } from '../../values/number.ts'
import { str } from '../../values/text.ts'
import type { Textual, Value } from '../types.ts'
import { formatFixed } from './fixed.ts'

export const dialect = 'platform'

/**
 * The value in a `sprintf` format: `%d`, `%.2f`, `%05d`, `%-4s`, `%x` …
 * @throws ArgumentFault for a directive that does not exist
 */
export function advanced_format(input: Value, format: Textual): string {
  const text = str(format)
  if (text.length > 10_000) throw new ArgumentFault('advanced_format filter - the format is too long')
  let used = 0
  return text.replace(
    /%([-+ 0#]*)(\d*)(?:\.(\d*))?([a-zA-Z%]?)/g,
    (whole, flags: string, width: string, digits: string | undefined, letter: string) => {
      if (letter === '%' && whole === '%%') return '%'
      if (used++ > 0) throw new ArgumentFault('advanced_format filter - too few arguments')
      const places = digits === undefined ? null : Number(digits)
      if (Number(width) > 1000 || (places ?? 0) > 100)
        throw new ArgumentFault('advanced_format filter - the width is too large')
      return padToWidth(printDirective(input, flags, places, letter, whole), flags, Number(width), letter)
    },
  )
}

function printDirective(value: unknown, flags: string, places: number | null, letter: string, whole: string): string {
  switch (letter) {
    case 'd':
    case 'i':
    case 'u':
      return withSign(`${floor(value)}`, flags)
    case 'f':
      return withSign(formatFixed(value, places ?? 6), flags)
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      return withSign(printScientific(toNumber(toNumeral(value)), places ?? 6, letter), flags)
    case 's':
      return places === null ? str(value) : str(value).slice(0, places)
    case 'x':
    case 'X':
    case 'o':
    case 'b':
      return printInBase(floor(value), letter, flags)
    case 'c':
      return typeof value === 'number'
        ? String.fromCodePoint(Math.min(0x10ffff, Math.max(0, Math.trunc(value))))
        : str(value).slice(0, 1)
    default:
      throw new ArgumentFault(`advanced_format filter - malformed format string - ${whole}`)
  }
}

function withSign(text: string, flags: string): string {
  if (text.startsWith('-')) return text
  return flags.includes('+') ? `+${text}` : flags.includes(' ') ? ` ${text}` : text
}

function printScientific(n: number, places: number, letter: string): string {
  if (!Number.isFinite(n)) return n > 0 ? 'Inf' : n < 0 ? '-Inf' : 'NaN'
  const general = letter === 'g' || letter === 'G'
  const text = general ? printShortest(n, Math.max(1, places)) : padExponent(n.toExponential(places))
  return letter === 'E' || letter === 'G' ? text.toUpperCase() : text
}

/** Extends an exponent to at least two digits. */
function padExponent(text: string): string {
  return text.replace(/e([-+])(\d)$/, 'e$10$2')
}

function printShortest(n: number, digits: number): string {
  const power = n === 0 ? 0 : Math.floor(Math.log10(Math.abs(n)))
  if (power < -4 || power >= digits) return padExponent(n.toExponential(digits - 1).replace(/\.?0+e/, 'e'))
  const text = n.toPrecision(digits)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

const RADIX: Readonly<Record<string, number>> = { x: 16, X: 16, o: 8, b: 2 }
const PREFIX: Readonly<Record<string, string>> = { x: '0x', X: '0X', o: '0', b: '0b' }

function printInBase(n: number | bigint, letter: string, flags: string): string {
  const size = (n < 0 ? -n : n).toString(RADIX[letter])
  const digits = letter === 'X' ? size.toUpperCase() : size
  return withSign((n < 0 ? '-' : '') + (flags.includes('#') ? PREFIX[letter] : '') + digits, flags)
}

function padToWidth(text: string, flags: string, width: number, letter: string): string {
  if (flags.includes('-')) return text.padEnd(width)
  if (!flags.includes('0') || letter === 's' || letter === 'c') return text.padStart(width)
  const sign = /^[-+ ]/.exec(text)?.[0] ?? ''
  return sign + text.slice(sign.length).padStart(width - sign.length, '0')
}
