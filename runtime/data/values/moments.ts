/** Reads times of properties and filters from plain data, and writes them as texts that sort chronologically. */
import { parseDateFields } from '../../page/values/date-text.ts'
import { type Moment, momentIn, parseText, type TimeSource } from '../../page/values/time.ts'

/** Times without a zone are in UTC. Missing parts are never taken from the clock, so `now` is not used. */
export const UTC: TimeSource = { now: () => 0, timeZone: 'UTC' }

const EPOCH = /^-?\d{9,12}(?:\.\d+)?$/

/**
 * The time that a value denotes; numbers are seconds since 1970. Null for other values, and for years that ISO 8601
 * cannot express.
 */
export function momentOf(value: unknown): Moment | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return null
  const text = `${value}`.trim()
  if (typeof value !== 'string' || EPOCH.test(text)) return momentOfEpoch(Number(text))
  const fields = parseDateFields(text)
  if (fields === null || fields.year === null) return null
  if (fields.yearDay === null) {
    const { year, month, day } = fields
    // The parser would continue in the next month, and store another day than the one that was written.
    if (month === null || day === null || day > daysIn(year, month)) return null
  }
  return inSupportedYears(parseText(text, UTC))
}

/** The calendar repeats after 400 years. `Date` would treat years below 100 as years of the 20th century. */
function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}

/** The last millisecond of the day that a text without a time of day denotes; null for other values. */
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

/** 31 December 9999. */
const MAX_SECONDS = 253_402_300_799
/** 1 January of the year 1. */
const MIN_SECONDS = -62_135_596_800

function inSupportedYears(moment: Moment | null): Moment | null {
  if (moment === null || moment.$seconds > MAX_SECONDS || moment.$seconds < MIN_SECONDS) return null
  return moment
}

/** Such as `2020-03-15T14:28:48.153Z`. All texts have this form, so that they sort chronologically. */
export function isoText(moment: Moment): string {
  return new Date(moment.$seconds * 1000 + Math.floor(moment.$nanos / 1e6)).toISOString()
}

/** The local time that the value shows, written as if it were UTC. */
export function wallText(moment: Moment): string {
  return new Date((moment.$seconds + moment.$offset) * 1000 + Math.floor(moment.$nanos / 1e6)).toISOString()
}
