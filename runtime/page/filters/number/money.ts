/** Amounts of money: currencies, their subunits and symbols, and formatting. */
import { ArgumentFault } from '../../fault.ts'
import { divide, Float, multiply, toNumeral, type Numeral, round, toNumber } from '../../values/number.ts'
import { str } from '../../values/text.ts'
import { getOption } from '../arguments.ts'
import { localeOf, findTextSetting } from '../translation/lookup.ts'
import type { Render } from '../types.ts'
import { groupDigits } from './digits.ts'

const NO_SUBUNITS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))
const THREE_PLACES = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))
const SYMBOL_LAST = new Set(
  'AMD BAM BGN CZK DKK GEL HRK HUF KGS KZT MDL MKD NOK PLN RON RSD RUB SEK UAH UZS'.split(' '),
)
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

interface Currency {
  readonly code: string
  /** Decimal places of the subunit. */
  readonly places: number
  readonly symbol: string
  readonly symbolFirst: boolean
}

/** Returns the currency of an ISO 4217 code. @throws ArgumentFault for an unknown one */
export function findCurrency(value: unknown, filter: string): Currency {
  const code = str(value ?? 'USD')
    .trim()
    .toUpperCase()
  if (!CODES.has(code)) throw new ArgumentFault(`${filter} filter - unknown currency '${code.slice(0, 20)}'`)
  const formatter = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
  const symbol = formatter.formatToParts(1).find((part) => part.type === 'currency')?.value ?? code
  return {
    code,
    places: NO_SUBUNITS.has(code) ? 0 : THREE_PLACES.has(code) ? 3 : 2,
    symbol,
    symbolFirst: !SYMBOL_LAST.has(code),
  }
}

/** Converts an amount to whole subunits, rounded half away from zero. @throws ArgumentFault for Infinity and NaN */
export function toSubunits(amount: unknown, currency: Currency): Numeral {
  return round(multiply(toNumeral(amount), 10 ** currency.places), 0)
}

/**
 * Formats an amount with its symbol and separators, and with cents unless there are none. Options: `symbol`,
 * `with_currency`, `no_cents_if_whole`, `sign_before_symbol`.
 * @throws ArgumentFault for Infinity and NaN
 */
export function formatMoney(r: Render, subunits: Numeral, currency: Currency, options: unknown): string {
  const locale = localeOf(r)
  const separator = findTextSetting(r.site, locale, 'number.currency.format.separator', '.')
  const delimiter = findTextSetting(r.site, locale, 'number.currency.format.delimiter', ',')
  const rounded = round(subunits, 0)
  const total = BigInt(rounded instanceof Float ? rounded.$value : rounded)
  const size = total < 0n ? -total : total
  const factor = 10n ** BigInt(currency.places)
  const cents = size % factor
  const wholeUnits = groupDigits(`${size / factor}`, delimiter)
  const omitsCents = currency.places === 0 || (cents === 0n && getOption(options, 'no_cents_if_whole') !== false)
  const amount = omitsCents ? wholeUnits : `${wholeUnits}${separator}${`${cents}`.padStart(currency.places, '0')}`
  const text = withSymbol(amount, total < 0n ? '-' : '', currency, options)
  return getOption(options, 'with_currency') === true ? `${text} ${currency.code}` : text
}

function withSymbol(amount: string, sign: string, currency: Currency, options: unknown): string {
  const option = getOption(options, 'symbol')
  const symbol = option === false ? '' : typeof option === 'string' ? option : currency.symbol
  if (symbol === '') return sign + amount
  if (!currency.symbolFirst) return `${sign}${amount} ${symbol}`
  return getOption(options, 'sign_before_symbol') === false ? symbol + sign + amount : sign + symbol + amount
}

/** Converts subunits to an amount: an integer when the currency has no subunit. */
export function toAmount(subunits: Numeral, currency: Currency): Numeral {
  return currency.places === 0 ? subunits : divide(subunits, powerOfTenFloat(currency.places))
}

function powerOfTenFloat(places: number): Numeral {
  return toNumeral(`${10 ** places}.0`)
}

/** Checks whether a value is a whole number, as subunits must be. */
export function isWhole(value: unknown): boolean {
  return Number.isInteger(toNumber(toNumeral(value)))
}
