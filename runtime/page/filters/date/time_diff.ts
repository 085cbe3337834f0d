/** `time_diff`: the duration between two times. */
import { float, toNumeral, round, toNumber } from '../../values/number.ts'
import { findUnit } from '../../values/natural-time.ts'
import { str } from '../../values/text.ts'
import { integerArgument } from '../number-arguments.ts'
import { timeArgument } from './time-arguments.ts'
import type { Numeric, Numeral, Render, Textual, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * The duration in a unit (by default milliseconds), rounded to `precision` places.
 * @throws ArgumentFault for an input that is not a time
 */
export function time_diff(
  r: Render,
  input: Value,
  finish: Value,
  unit: Textual = 'ms',
  precision: Numeric = 3,
): Numeral {
  const { clock } = r.services
  const start = timeArgument(input, clock, 'time_diff', clock.timeZone)
  const end = timeArgument(finish, clock, 'time_diff', clock.timeZone)
  const places = integerArgument(precision, 'time_diff', 'precision')
  const millis = (end.$seconds - start.$seconds) * 1000 + (end.$nanos - start.$nanos) / 1e6
  return float(toNumber(toNumeral(round(float(millis / unitMillis(str(unit))), places))))
}

const MILLIS = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_629_746_000,
  year: 31_556_952_000,
} as const

/**
 * Returns the milliseconds of a unit. An unknown unit means milliseconds. Months and years have their mean Gregorian
 * lengths.
 */
function unitMillis(unit: string): number {
  const foundUnit = findUnit(unit)
  return foundUnit === null ? 1 : MILLIS[foundUnit]
}
