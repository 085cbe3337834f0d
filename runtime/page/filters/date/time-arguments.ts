/**
 * Reads times and zones that the platform's filters accept: natural language, ISO text, seconds and dates; zones by
 * name or offset.
 */
import { ArgumentFault } from '../../fault.ts'
import { isNumber, toNumeral, toNumber } from '../../values/number.ts'
import { str } from '../../values/text.ts'
import { MAX_SECONDS, Moment, momentIn, type TimeSource } from '../../values/time.ts'
import { parseNaturalTime, type Unit, findUnit } from '../../values/natural-time.ts'
import { toIanaName, findOffset } from '../../values/zone.ts'

/**
 * Returns the zone that an argument names; for nil and blank text, the default zone.
 * @throws ArgumentFault for an unknown zone
 */
export function zoneArgument(zone: unknown, defaultZone: string, filter: string): string {
  if (zone === null || zone === undefined || zone === '') return defaultZone
  if (isNumber(zone) || /^\s*[-+]?\d+(?:\.\d+)?\s*$/.test(str(zone)))
    return offsetZone(toNumber(toNumeral(zone)), filter)
  const name = toIanaName(str(zone).trim())
  if (name === '') return defaultZone
  findOffset(name, 0)
  return name
}

/** Returns the zone of a numeric offset. A number whose absolute value is at most 13 is in hours, and a larger number is in seconds. */
function offsetZone(n: number, filter: string): string {
  const seconds = Math.round(Math.abs(n) <= 13 ? n * 3600 : n)
  if (!(seconds >= -43_200 && seconds <= 50_400) || seconds % 900 !== 0) {
    throw new ArgumentFault(`${filter} filter - there is no time zone ${n}`)
  }
  if (seconds === 0) return 'UTC'
  const minutes = Math.abs(seconds) / 60
  const padTwo = (part: number): string => `${part}`.padStart(2, '0')
  return `${seconds < 0 ? '-' : '+'}${padTwo(Math.floor(minutes / 60))}:${padTwo(minutes % 60)}`
}

/**
 * Returns the time that a value represents, in `timeZone`; null when it is not a time. Text with only a date means noon of that day. `now`
 * is the time to which relative words and `today` refer.
 */
export function readTime(value: unknown, source: TimeSource, timeZone: string): Moment | null {
  if (value instanceof Moment)
    return value.$kind === 'time' || timeZone === 'UTC'
      ? moveToZone(value, timeZone)
      : parseNaturalTime(`${str(value)} 00:00`, source, timeZone)
  if (isNumber(value)) {
    const seconds = toNumber(value)
    return Number.isInteger(seconds) && typeof value !== 'object' && Math.abs(seconds) <= MAX_SECONDS
      ? momentIn(seconds, 0, timeZone)
      : null
  }
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'object' && value !== null && '$text' in value
        ? str(value)
        : null
  return text === null ? null : parseNaturalTime(text, source, timeZone)
}

function moveToZone(m: Moment, timeZone: string): Moment {
  return momentIn(m.$seconds, m.$nanos, timeZone)
}

/**
 * Does the same as `readTime`.
 * @throws ArgumentFault for a value that is not a time
 */
export function timeArgument(value: unknown, source: TimeSource, filter: string, timeZone: string): Moment {
  const moment = readTime(value, source, timeZone)
  if (moment === null) throw new ArgumentFault(`${filter} filter - cannot read a time from ${describeValue(value)}`)
  return moment
}

/**
 * Returns the clock of the render, or a clock that always shows the time of an argument.
 * @throws ArgumentFault for a value that is not a time
 */
export function clockArgument(now: unknown, source: TimeSource, filter: string, timeZone: string): TimeSource {
  if (now === null || now === undefined || now === '') return source
  const moment = timeArgument(now, source, filter, timeZone)
  const millis = moment.$seconds * 1000 + moment.$nanos / 1e6
  return { now: () => millis, timeZone: source.timeZone }
}

function describeValue(value: unknown): string {
  const text = value === null || value === undefined ? 'nil' : str(value)
  return `'${text.length > 60 ? `${text.slice(0, 60)}…` : text}'`
}

/**
 * Returns the day that a value represents.
 * @throws ArgumentFault for a value that is not a time
 */
export function dateArgument(value: unknown, source: TimeSource, filter: string): Moment {
  if (value instanceof Moment && value.$kind === 'date') return value
  const moment = timeArgument(value, source, filter, source.timeZone)
  const wall = Math.floor((moment.$seconds + moment.$offset) / 86_400) * 86_400
  return new Moment('date', wall, 0, 0, 'UTC')
}

/** Returns a whole number of units to add, and the unit. @throws ArgumentFault for an unknown unit */
export function stepArgument(number: unknown, unit: unknown, filter: string): { count: number; unit: Unit } {
  const foundUnit = findUnit(str(unit))
  if (foundUnit === null) throw new ArgumentFault(`${filter} filter - unknown unit ${describeValue(unit)}`)
  const count = Math.trunc(toNumber(toNumeral(number)))
  if (!(Math.abs(count) <= 1e10)) throw new ArgumentFault(`${filter} filter - ${describeValue(number)} is too large`)
  return { count, unit: foundUnit }
}
