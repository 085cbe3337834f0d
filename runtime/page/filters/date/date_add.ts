/** `date_add`: a day moved by a number of units. */
import { ArgumentFault } from '../../fault.ts'
import { addToWallSeconds } from '../../values/natural-time.ts'
import { MAX_SECONDS, Moment } from '../../values/time.ts'
import { dateArgument, stepArgument, timeArgument } from './time-arguments.ts'
import { add_to_time } from './add_to_time.ts'
import type { Numeric, Render, Textual, Value } from '../types.ts'

export const aliases = ['add_to_date'] as const
export const dialect = 'platform'

/**
 * The day plus a number of units (by default one day). Months and years are limited to the last day of a shorter
 * month.
 * @throws ArgumentFault for an input that is not a time, and for an unknown unit
 */
export function date_add(r: Render, input: Value, number: Numeric = 1, unit: Textual = 'd'): Moment {
  const { clock } = r.services
  const { count, unit: foundUnit } = stepArgument(number, unit, 'date_add')
  if (foundUnit === 'hour' || foundUnit === 'minute' || foundUnit === 'second') {
    return dateArgument(
      add_to_time(r, timeArgument(input, clock, 'date_add', clock.timeZone), count, foundUnit),
      clock,
      'date_add',
    )
  }
  const wall = addToWallSeconds(dateArgument(input, clock, 'date_add').$seconds, count, foundUnit)
  if (!(Math.abs(wall) <= MAX_SECONDS)) throw new ArgumentFault('date_add filter - the date is out of range')
  return new Moment('date', wall, 0, 0, 'UTC')
}
