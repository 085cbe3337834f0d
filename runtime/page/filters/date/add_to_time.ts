/** `add_to_time`: a time moved by a number of units. */
import { ArgumentFault } from '../../fault.ts'
import { addUnits } from '../../values/natural-time.ts'
import { MAX_SECONDS, type Moment } from '../../values/time.ts'
import { stepArgument, timeArgument } from './time-arguments.ts'
import type { Numeric, Render, Textual, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * The time plus a number of units (by default one day). Months and years are limited to the last day of a shorter
 * month.
 * @throws ArgumentFault for an input that is not a time, and for an unknown unit
 */
export function add_to_time(r: Render, input: Value, number: Numeric = 1, unit: Textual = 'd'): Moment {
  const { clock } = r.services
  const step = stepArgument(number, unit, 'add_to_time')
  const moment = addUnits(
    timeArgument(input, clock, 'add_to_time', clock.timeZone),
    step.count,
    step.unit,
    clock.timeZone,
  )
  if (!(Math.abs(moment.$seconds) <= MAX_SECONDS))
    throw new ArgumentFault('add_to_time filter - the time is out of range')
  return moment
}
