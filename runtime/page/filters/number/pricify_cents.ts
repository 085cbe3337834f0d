/** `pricify_cents`: an amount of money in subunits, with its symbol. */
import { toNumeral } from '../../values/number.ts'
import { isHash } from '../../values/access.ts'
import type { Bool, NamedArguments, Numeric, Render, Textual, Value } from '../types.ts'
import { findCurrency, formatMoney } from './money.ts'

export const dialect = 'platform'

/**
 * The amount with the symbol of its currency and the separators of the locale. Cents are omitted when there are
 * none. Named arguments may replace the currency.
 * @throws ArgumentFault for an unknown currency
 */
export function pricify_cents(
  r: Render,
  input: Numeric,
  currency: Textual = 'USD',
  options: NamedArguments<{
    symbol?: Value
    with_currency?: Bool
    no_cents_if_whole?: Bool
    sign_before_symbol?: Bool
    [name: string]: Value
  }> = null,
): string {
  const namedArguments = isHash(currency) ? currency : options
  const foundCurrency = findCurrency(isHash(currency) ? null : currency, 'pricify_cents')
  return formatMoney(r, toNumeral(input), foundCurrency, namedArguments)
}
