/** `strftime`: a formatted time in a zone. */
import { strftime as formatted } from '../../values/strftime.ts'
import { str } from '../../values/text.ts'
import { Moment } from '../../values/time.ts'
import { clockArgument, timeArgument, zoneArgument } from './time-arguments.ts'
import type { Render, Textual, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * The time in the format, in a zone (UTC by default; the library has the option `timeZone`). Nil stays nil.
 * @throws ArgumentFault for an input that is not a time
 */
export function strftime(
  r: Render,
  input: Value,
  format: Textual,
  zone: Textual = null,
  now: Value = null,
): string | null {
  if (input === null || input === undefined) return null
  const { clock } = r.services
  const target = zoneArgument(zone, clock.timeZone, 'strftime')
  // A date has no time of day that a zone could shift.
  if (input instanceof Moment && input.$kind === 'date') return formatted(input, str(format))
  return formatted(timeArgument(input, clockArgument(now, clock, 'strftime', target), 'strftime', target), str(format))
}
