/** `amount_to_fractional`: an amount of money in subunits. */

import type { Numeral, Numeric, Textual } from '../types.ts'
import { findCurrency, toSubunits } from './money.ts'

export const dialect = 'platform'

/**
 * The amount in subunits of its currency (cents), rounded half up to an integer.
 * @throws ArgumentFault for an unknown currency
 */
export function amount_to_fractional(input: Numeric, currency: Textual = 'USD'): Numeral {
  return toSubunits(input, findCurrency(currency, 'amount_to_fractional'))
}
