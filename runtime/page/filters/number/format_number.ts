/** `format_number`: a number with separators. */
import { ArgumentFault } from '../../fault.ts'
import { isHash, keys } from '../../values/access.ts'
import { toNumeral, toNumber } from '../../values/number.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { integerArgument } from '../number-arguments.ts'
import { getOption } from '../arguments.ts'
import { findTextSetting } from '../translation/lookup.ts'
import type { Bool, NamedArguments, Numeric, Render, Textual, Value } from '../types.ts'
import { groupDigits } from './digits.ts'
import { formatFixed } from './fixed.ts'

export const dialect = 'platform'

/**
 * The number with a fixed number of decimal places (by default 3), rounded half away from zero. A locale sets the
 * separators.
 * @throws ArgumentFault for an unknown option, and for Infinity and NaN
 */
export function format_number(
  r: Render,
  input: Value,
  options: NamedArguments<{
    locale?: Textual
    precision?: Numeric
    formatSignificant?: Bool
    separator?: Textual
    delimiter?: Textual
    strip_insignificant_zeros?: Bool
    round_mode?: Textual
  }> = null,
): string {
  if (isHash(options)) refuseUnknownOptions(options)
  const precision = getOption(options, 'precision')
  const places = precision === null ? 3 : integerArgument(precision, 'format_number', 'precision')
  if (places < 0 || places > 100) throw new ArgumentFault('format_number filter - precision must be 0 to 100')
  const digits = truthy(getOption(options, 'significant'))
    ? formatSignificant(input, places)
    : roundWithMode(input, places, options)
  const [match = '', decimals = ''] = digits.replace('-', '').split('.')
  const printedDecimals = truthy(getOption(options, 'strip_insignificant_zeros'))
    ? decimals.replace(/0+$/, '')
    : decimals
  const text = groupDigits(match, findSeparator(r, options, 'delimiter', ''))
  const sign = digits.startsWith('-') ? '-' : ''
  if (printedDecimals === '') return sign + text
  return sign + text + findSeparator(r, options, 'separator', '.') + printedDecimals
}

const KNOWN_OPTIONS = new Set([
  'locale',
  'precision',
  'significant',
  'separator',
  'delimiter',
  'strip_insignificant_zeros',
  'round_mode',
])

function refuseUnknownOptions(options: Record<string, unknown>): void {
  const unknown = keys(options).find((name) => !KNOWN_OPTIONS.has(name))
  if (unknown !== undefined) throw new ArgumentFault(`format_number filter - unknown option '${unknown}'`)
}

function findSeparator(r: Render, options: unknown, name: string, defaultSeparator: string): string {
  const option = getOption(options, name)
  if (option !== null) return str(option)
  const locale = getOption(options, 'locale')
  return locale === null
    ? defaultSeparator
    : findTextSetting(r.site, str(locale), `number.format.${name}`, defaultSeparator)
}

/** Rounds by the option `round_mode`; the default is half away from zero. */
function roundWithMode(input: unknown, places: number, options: unknown): string {
  const mode = str(getOption(options, 'round_mode') ?? 'half_up')
  const exact = formatFixed(input, places)
  if (mode === 'half_up' || mode === 'default') return exact
  const moreDigits = formatFixed(input, places + 20)
  const cut =
    places === 0
      ? moreDigits.slice(0, moreDigits.indexOf('.'))
      : moreDigits.slice(0, moreDigits.indexOf('.') + 1 + places)
  const remainder = moreDigits.slice(-20)
  if (/^0+$/.test(remainder)) return exact
  const half = /^50+$/.test(remainder)
  const negative = moreDigits.startsWith('-')
  const away = formatFixed(nextUnit(cut, places, negative), places)
  if (mode === 'down' || mode === 'truncate') return cut
  if (mode === 'up') return away
  if (mode === 'ceil' || mode === 'ceiling') return negative ? cut : away
  if (mode === 'floor') return negative ? away : cut
  if (half && mode === 'half_down') return cut
  if (half && (mode === 'half_even' || mode === 'banker')) return Number(cut.at(-1)) % 2 === 0 ? cut : away
  if (mode.startsWith('half_') || mode === 'banker') return exact
  throw new ArgumentFault(`format_number filter - unknown round_mode '${mode}'`)
}

/** Adds one unit of its last place to a decimal text, away from zero. */
function nextUnit(text: string, places: number, negative: boolean): string {
  const units = BigInt(text.replace('.', '')) + (negative ? -1n : 1n)
  const size = `${units < 0n ? -units : units}`.padStart(places + 1, '0')
  return `${negative ? '-' : ''}${places === 0 ? size : `${size.slice(0, -places)}.${size.slice(-places)}`}`
}

function formatSignificant(input: unknown, digits: number): string {
  const n = toNumber(toNumeral(input))
  if (n === 0 || digits === 0) return formatFixed(0, digits === 0 ? 0 : digits - 1)
  const integerDigits = Math.floor(Math.log10(Math.abs(n))) + 1
  const places = Math.max(0, digits - integerDigits)
  return formatFixed(integerDigits > digits ? Number(n.toPrecision(digits)) : input, Math.min(100, places))
}
