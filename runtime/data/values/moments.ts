/** Reads times of properties and filters from plain data, and writes them as texts that sort chronologically. */
import { parseDateFields } from '../../page/values/date-text.ts'
import { type Moment, momentIn, parseText, type TimeSource } from '../../page/values/time.ts'

/** The zone of times that name no zone. `now` is not used, because missing parts of a time are never taken from the clock. */
export const UTC: TimeSource = { now: () => 0, timeZone: 'UTC' }

const EPOCH = /^-?\d{9,12}(?:\.\d+)?$/

/**
 * Returns the time that a value denotes. A number is seconds since 1970. Returns null for other values, and for years that ISO 8601 cannot
 * express.
 */
export function momentOf(value: unknown): Moment | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return null
  const text = `${value}`.trim()
  if (typeof value !== 'string' || EPOCH.test(text)) return momentOfEpoch(Number(text))
  const fields = parseDateFields(text)
  if (fields === null || fields.year === null) return null
  if (fields.yearDay === null) {
    const { year, month, day } = fields
    // Rejects days that the month does not have. The parser would read them as days of the next month.
    if (month === null || day === null || day > daysIn(year, month)) return null
  }
  return inSupportedYears(parseText(text, UTC))
}

/**
 * Returns the number of days of a month. The year is shifted to a year from 2000 on, because the calendar repeats after 400 years, and
 * `Date` treats years below 100 as years of the 20th century.
 */
function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}

/** Returns the last millisecond of the day that a text without a time of day denotes; null for other values. */
export function endOfDay(value: unknown): Moment | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (EPOCH.test(text) || parseDateFields(text)?.hour !== null) return null
  const start = momentOf(text)
  return start === null ? null : momentIn(start.$seconds + 86_399, 999_000_000, 'UTC')
}

function momentOfEpoch(seconds: number): Moment | null {
  if (!(Math.abs(seconds) <= MAX_SECONDS)) return null
  const wholeSeconds = Math.floor(seconds)
  return inSupportedYears(momentIn(wholeSeconds, Math.round((seconds - wholeSeconds) * 1e9), 'UTC'))
}

/** The last second of 31 December 9999, in seconds since 1970. */
const MAX_SECONDS = 253_402_300_799
/** The first second of the year 1, in seconds since 1970. */
const MIN_SECONDS = -62_135_596_800

function inSupportedYears(moment: Moment | null): Moment | null {
  if (moment === null || moment.$seconds > MAX_SECONDS || moment.$seconds < MIN_SECONDS) return null
  return moment
}

/** Returns the ISO text of a time, such as `2020-03-15T14:28:48.153Z`. All texts have this form, so that they sort chronologically. */
export function isoText(moment: Moment): string {
  return new Date(moment.$seconds * 1000 + Math.floor(moment.$nanos / 1e6)).toISOString()
}

/** Returns the ISO text of the local time in the time's own zone, written as if the zone were UTC. */
export function wallText(moment: Moment): string {
  return new Date((moment.$seconds + moment.$offset) * 1000 + Math.floor(moment.$nanos / 1e6)).toISOString()
}
