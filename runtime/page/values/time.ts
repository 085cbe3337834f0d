/** Reads times from text, numbers and other times. */
import { MAX_SECONDS, Moment } from './moment.ts'
import { BoxedText } from './boxed.ts'
import { parseDateFields } from './date-text.ts'
import { findOffset, findAbbreviation } from './zone.ts'

export { MAX_SECONDS, Moment } from './moment.ts'

/** The current time and the default zone. */
export interface TimeSource {
  /** Milliseconds since the epoch. */
  now(): number
  /** IANA name of the default time zone. */
  readonly timeZone: string
}

/** Returns the moment of an instant in a zone. `seconds` is an integer. */
export function momentIn(seconds: number, nanos: number, timeZone: string): Moment {
  if (timeZone === 'UTC') return new Moment('time', seconds, nanos, 0, 'UTC')
  return new Moment('time', seconds, nanos, findOffset(timeZone, seconds), findAbbreviation(timeZone, seconds))
}

/** Returns the current time. */
export function momentNow(source: TimeSource): Moment {
  const millis = source.now()
  const seconds = Math.floor(millis / 1000)
  return momentIn(seconds, Math.round((millis - seconds * 1000) * 1e6), source.timeZone)
}

/**
 * Parses the input of the filter `date`: `now`, `today`, integer seconds since the epoch (or their digits), or text with a date. A zone in
 * the text is kept. Returns null for all other values.
 */
export function parseDate(value: unknown, source: TimeSource): Moment | null {
  if (typeof value === 'number') return isSeconds(value) ? momentIn(value, 0, source.timeZone) : null
  if (value instanceof Moment) return value
  const text = typeof value === 'string' ? value : value instanceof BoxedText ? value.$text : ''
  if (text === '') return null
  if (/^\d+$/.test(text)) return parseDate(Number(text), source)
  const lowerCaseText = text.toLowerCase()
  return lowerCaseText === 'now' || lowerCaseText === 'today' ? momentNow(source) : parseText(text, source)
}

/**
 * Parses a text; null when it contains no time. Missing larger parts come from today; missing smaller parts have
 * their lowest value.
 */
export function parseText(text: string, source: TimeSource): Moment | null {
  const fields = parseDateFields(text)
  if (fields === null) return null
  const today = momentNow(source)
  const now = new Date((today.$seconds + today.$offset) * 1000)
  let { year, month, day } = fields
  if (year === null) {
    year = now.getUTCFullYear()
    if (month === null && fields.yearDay === null) {
      month = now.getUTCMonth() + 1
      day ??= now.getUTCDate()
    }
  }
  if (fields.yearDay !== null) {
    month = 1
    day = fields.yearDay
  }
  const hour = fields.hour ?? 0
  const minute = fields.minute ?? 0
  const second = fields.second ?? 0
  if (month !== null && (month < 1 || month > 12)) return null
  if (day !== null && (day < 1 || (day > 31 && fields.yearDay === null) || day > 366)) return null
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && (minute > 0 || second > 0))) return null
  const wall = wallSeconds(year, month ?? 1, day ?? 1) + hour * 3600 + minute * 60 + second
  if (!(Math.abs(wall) <= MAX_SECONDS)) return null
  return momentAt(wall, fields.nanos, fields.offset, source.timeZone)
}

/** Returns the moment with this wall-clock time, at the offset or in the zone. */
function momentAt(wall: number, nanos: number, offset: number | 'UTC' | null, timeZone: string): Moment {
  if (offset === 'UTC') return new Moment('time', wall, nanos, 0, 'UTC')
  if (offset !== null) {
    const seconds = wall - offset
    const local = findOffset(timeZone, seconds)
    return new Moment('time', seconds, nanos, offset, local === offset ? findAbbreviation(timeZone, seconds) : '')
  }
  return inZone(wall, nanos, timeZone)
}

/** Returns the moment with this wall-clock time in a zone. A time in a skipped hour moves to the next hour. */
export function inZone(wall: number, nanos: number, timeZone: string): Moment {
  const guess = wall - findOffset(timeZone, wall)
  const offset = findOffset(timeZone, guess)
  return momentIn(offset === wall - guess ? guess : wall - offset, nanos, timeZone)
}

/** Returns the seconds since the epoch of a day's midnight. Overflowing days and months roll over. */
export function wallSeconds(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime() / 1000
}

/** Checks whether a number can be seconds since the epoch. */
export function isSeconds(n: number): boolean {
  return Number.isSafeInteger(n) && Math.abs(n) <= MAX_SECONDS
}
