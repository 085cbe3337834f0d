/** `l`: a time or date in a named format of the locale. */
import { strftime } from '../../values/strftime.ts'
import { str } from '../../values/text.ts'
import { Moment } from '../../values/time.ts'
import { timeArgument, zoneArgument } from '../date/time-arguments.ts'
import type { Render, Textual, Value } from '../types.ts'
import { findCalendarNames, findFormat } from './calendar.ts'
import { localeOf } from './lookup.ts'

export const aliases = ['localize'] as const
export const dialect = 'platform'

/**
 * The time in the format `time.formats.<name>` of the locale (a date: `date.formats.<name>`), or in a literal format
 * that contains `%`. Nil stays nil.
 * @throws ArgumentFault for an input that is not a time
 */
export function l(r: Render, input: Value, format: Textual = 'long', zone: Textual = null): string | null {
  if (input === null || input === undefined) return null
  const target = zoneArgument(zone, r.services.clock.timeZone, 'l')
  const isDate = input instanceof Moment && input.$kind === 'date'
  const moment = isDate ? input : timeArgument(input, r.services.clock, 'l', target)
  const name = format === null || format === undefined ? 'long' : str(format)
  const locale = localeOf(r)
  const pattern = name.includes('%') ? name : findFormat(r.site, locale, isDate ? 'date' : 'time', name)
  return strftime(moment, pattern, findCalendarNames(r.site, locale))
}
