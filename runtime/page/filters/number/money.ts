/** Amounts of money: currencies, their subunits and symbols, and formatting. */
import { ArgumentFault } from '../../fault.ts'
import { divide, multiply, num, type Numeral, round, toNumber } from '../../values/number.ts'
import { str } from '../../values/text.ts'
import { getOption } from '../options.ts'
import { localeOf, textSetting } from '../translation/lookup.ts'
import type { Render } from '../types.ts'
import { grouped } from './digits.ts'

const WHOLE = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))
const THOUSANDTHS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))
const SYMBOL_LAST = new Set(
  'AMD BAM BGN CZK DKK GEL HRK HUF KGS KZT MDL MKD NOK PLN RON RSD RUB SEK UAH UZS'.split(' '),
)
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

export interface Currency {
  readonly code: string
  /** Decimal places of the subunit. */
  readonly places: number
  readonly symbol: string
  readonly symbolFirst: boolean
}

/** The currency of an ISO 4217 code. @throws ArgumentFault for an unknown one */
export function currencyOf(v: unknown, filter: string): Currency {
  const code = str(v ?? 'USD')
    .trim()
    .toUpperCase()
  if (!CODES.has(code)) throw new ArgumentFault(`${filter} filter - unknown currency '${code.slice(0, 20)}'`)
  const shown = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
  const symbol = shown.formatToParts(1).find((part) => part.type === 'currency')?.value ?? code
  return {
    code,
    places: WHOLE.has(code) ? 0 : THOUSANDTHS.has(code) ? 3 : 2,
    symbol,
    symbolFirst: !SYMBOL_LAST.has(code),
  }
}

/** An amount in whole subunits, half a subunit rounded away from zero. @throws ArgumentFault for Infinity and NaN */
export function toSubunits(amount: unknown, currency: Currency): Numeral {
  return round(multiply(num(amount), 10 ** currency.places), 0)
}

/**
 * An amount in words: symbol, thousands, cents unless there are none. Options: `symbol`, `with_currency`,
 * `no_cents_if_whole`, `sign_before_symbol`. @throws ArgumentFault for Infinity and NaN
 */
export function priced(r: Render, subunits: Numeral, currency: Currency, options: unknown): string {
  const locale = localeOf(r)
  const separator = textSetting(r.site, locale, 'number.currency.format.separator', '.')
  const delimiter = textSetting(r.site, locale, 'number.currency.format.delimiter', ',')
  const total = BigInt(round(subunits, 0) as number | bigint)
  const size = total < 0n ? -total : total
  const factor = 10n ** BigInt(currency.places)
  const cents = size % factor
  const whole = grouped(`${size / factor}`, delimiter)
  const plain = currency.places === 0 || (cents === 0n && getOption(options, 'no_cents_if_whole') !== false)
  const amount = plain ? whole : `${whole}${separator}${`${cents}`.padStart(currency.places, '0')}`
  const text = signed(amount, total < 0n ? '-' : '', currency, options)
  return getOption(options, 'with_currency') === true ? `${text} ${currency.code}` : text
}

function signed(amount: string, sign: string, currency: Currency, options: unknown): string {
  const asked = getOption(options, 'symbol')
  const symbol = asked === false ? '' : typeof asked === 'string' ? asked : currency.symbol
  if (symbol === '') return sign + amount
  if (!currency.symbolFirst) return `${sign}${amount} ${symbol}`
  return getOption(options, 'sign_before_symbol') === false ? symbol + sign + amount : sign + symbol + amount
}

/** Subunits as an amount: an integer where the currency has no subunit. */
export function toAmount(subunits: Numeral, currency: Currency): Numeral {
  return currency.places === 0 ? subunits : divide(subunits, tenFloat(currency.places))
}

function tenFloat(places: number): Numeral {
  return num(`${10 ** places}.0`)
}

/** Whether a value is a whole number, as subunits are. */
export function isWhole(v: unknown): boolean {
  return Number.isInteger(toNumber(num(v)))
}
