/** `fractional_to_amount`: an amount of money from subunits of its currency. */
import { ArgumentFault } from '../../fault.ts'
import { toNumeral } from '../../values/number.ts'
import type { Numeral, Numeric, Textual } from '../types.ts'
import { findCurrency, isWhole, toAmount } from './money.ts'

export const dialect = 'platform'

/**
 * The amount of a whole number of subunits (cents).
 * @throws ArgumentFault for an unknown currency, and for subunits that are not whole
 */
export function fractional_to_amount(input: Numeric, currency: Textual = 'USD'): Numeral {
  if (!isWhole(input)) throw new ArgumentFault('fractional_to_amount filter - first argument must be an integer')
  return toAmount(toNumeral(input), findCurrency(currency, 'fractional_to_amount'))
}
