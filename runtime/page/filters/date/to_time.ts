/** `to_time`: a time read from text, seconds or a date. */
import { ArgumentFault } from '../../fault.ts'
import { str } from '../../values/text.ts'
import { strptime } from '../../values/strptime.ts'
import type { Moment } from '../../values/time.ts'
import { clockArgument, timeArgument, zoneArgument } from './time-arguments.ts'
import type { Render, Textual, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * The time that the input represents, in a zone (UTC by default; the library has the option `timeZone`). It is parsed by
 * a format when one is given.
 * @throws ArgumentFault for an input that is not a time
 */
export function to_time(
  r: Render,
  input: Value,
  zone: Textual = null,
  format: Textual = null,
  now: Value = null,
): Moment {
  const { clock } = r.services
  const target = zoneArgument(zone, clock.timeZone, 'to_time')
  const pattern = str(format)
  if (pattern === '') return timeArgument(input, clockArgument(now, clock, 'to_time', target), 'to_time', target)
  const moment = strptime(str(input), pattern, clockArgument(now, clock, 'to_time', target), target)
  if (moment === null) throw new ArgumentFault('to_time filter - the text does not fit the format')
  return moment
}
