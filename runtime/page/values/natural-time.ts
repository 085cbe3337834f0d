/**
 * Parses times in natural language: `now`, `tomorrow at 5pm`, `3 days ago`, `in 10 minutes`, `next friday`, and any
 * date.
 */
import { parseDateFields } from './date-text.ts'
import { type TimeStep, parseRelativeTime, type Unit, findUnit } from './time-steps.ts'
import {
  inZone,
  MAX_SECONDS,
  type Moment,
  momentIn,
  momentNow,
  parseText,
  type TimeSource,
  wallSeconds,
} from './time.ts'

export { type Unit, findUnit } from './time-steps.ts'

const SECONDS: Readonly<Record<'second' | 'minute' | 'hour', number>> = { second: 1, minute: 60, hour: 3600 }

/**
 * Adds whole units to a moment. Days keep the time of day. Months and years are limited to the last day of a shorter
 * month.
 */
export function addUnits(m: Moment, count: number, unit: Unit, timeZone: string): Moment {
  if (unit === 'second' || unit === 'minute' || unit === 'hour') {
    return momentIn(m.$seconds + count * SECONDS[unit], m.$nanos, timeZone)
  }
  const wall = addToWallSeconds(m.$seconds + m.$offset, count, unit)
  return timeZone === 'UTC' ? momentIn(wall, m.$nanos, 'UTC') : inZone(wall, m.$nanos, timeZone)
}

/** Adds days, weeks, months or years to wall-clock seconds. */
export function addToWallSeconds(wall: number, count: number, unit: 'day' | 'week' | 'month' | 'year'): number {
  if (unit === 'day') return wall + count * 86_400
  if (unit === 'week') return wall + count * 604_800
  const date = new Date(wall * 1000)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + count * (unit === 'year' ? 12 : 1)
  const year = Math.floor(month / 12)
  const lastDay = new Date(wallSeconds(year, (month % 12) + 2, 0) * 1000).getUTCDate()
  const midnight = wallSeconds(year, month - year * 12 + 1, Math.min(date.getUTCDate(), lastDay))
  return midnight + (((wall % 86_400) + 86_400) % 86_400)
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const NEXT = /^(next|last|this)\s+(second|minute|hour|day|week|month|year)$/
const DAY =
  /^(?:(next|last|this|on)\s+)?(today|tomorrow|yesterday|sunday|monday|tuesday|wednesday|thursday|friday|saturday|sun|mon|tues?|weds?|thurs?|thu|fri|sat)(?:\s*,?\s*(?:at\s+)?(.+))?$/
const MONTH = /^(next|last)\s+(january|february|march|april|may|june|july|august|september|october|november|december)$/
const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/

/** Parses a text in a zone; null when it contains no time. A date without a time means noon. */
export function parseNaturalTime(text: string, source: TimeSource, timeZone: string): Moment | null {
  if (text.length > 128) return null
  const timeSource: TimeSource = { now: () => source.now(), timeZone }
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ')
  if (words === '') return null
  if (/^\d+$/.test(words) && words.length !== 8) return momentOfSeconds(Number(words), timeZone)
  if (words === 'now' || words === 'today') return momentNow(timeSource)
  const relativeMoment = parseRelative(words, timeSource)
  if (relativeMoment !== undefined) return relativeMoment
  return (
    parseNextOrLast(words, timeSource) ??
    parsePartOfDay(words, timeSource) ??
    parseWeekday(words, timeSource) ??
    parseWrittenDate(text.trim(), timeSource)
  )
}

function momentOfSeconds(n: number, timeZone: string): Moment | null {
  return n <= 8.64e12 ? momentIn(n, 0, timeZone) : null
}

/** Parses relative words. Returns undefined for words that are not relative, and null for relative words that are not understood. */
function parseRelative(words: string, source: TimeSource): Moment | null | undefined {
  const step = parseRelativeTime(words)
  if (step === undefined) return undefined
  if (step.steps === null) return step.from === null ? null : undefined
  const start = step.from === null ? momentNow(source) : parseNaturalTime(step.from, source, source.timeZone)
  return start === null ? null : applySteps(start, step.steps, step.sign, source.timeZone)
}

function applySteps(start: Moment, steps: readonly TimeStep[], sign: number, timeZone: string): Moment | null {
  let at = start
  for (const { count, unit } of steps) {
    if (Number.isInteger(count)) at = addUnits(at, sign * count, unit, timeZone)
    else if (unit === 'month' || unit === 'year') return null
    else at = addUnits(at, sign * Math.round(count * LENGTHS[unit]), 'second', timeZone)
  }
  return Math.abs(at.$seconds) <= MAX_SECONDS ? at : null
}

const LENGTHS: Readonly<Record<Exclude<Unit, 'month' | 'year'>, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
}

/** Parses a phrase such as `next week` or `last november`. */
function parseNextOrLast(words: string, source: TimeSource): Moment | null {
  const unitMatch = NEXT.exec(words)
  const now = momentNow(source)
  if (unitMatch !== null) {
    const unit = findUnit(unitMatch[2] ?? '')
    return unit === null
      ? null
      : addUnits(now, unitMatch[1] === 'last' ? -1 : unitMatch[1] === 'next' ? 1 : 0, unit, source.timeZone)
  }
  const month = MONTH.exec(words)
  if (month === null) return null
  const today = new Date((now.$seconds + now.$offset) * 1000)
  const wantedMonth = MONTHS.indexOf((month[2] ?? '').slice(0, 3))
  const passed = wantedMonth < today.getUTCMonth()
  const years = month[1] === 'next' ? (wantedMonth > today.getUTCMonth() ? 0 : 1) : passed ? 0 : -1
  return inZone(wallSeconds(today.getUTCFullYear() + years, wantedMonth + 1, 1) + 43_200, 0, source.timeZone)
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** The middle of each part of the day. */
const PARTS: ReadonlyMap<string, Clock> = new Map([
  ['noon', { hour: 12, minute: 0, second: 0 }],
  ['midnight', { hour: 0, minute: 0, second: 0 }],
  ['morning', { hour: 9, minute: 0, second: 0 }],
  ['afternoon', { hour: 15, minute: 0, second: 0 }],
  ['evening', { hour: 18, minute: 30, second: 0 }],
  ['night', { hour: 22, minute: 0, second: 0 }],
])

const PART = /^(?:(this|last)\s+)?(morning|afternoon|evening|night)$|^(tonight|noon|midnight)$/

/**
 * Parses a part of the day, such as `this morning`, `tonight`, `noon` or `6 in the morning`. It is a part of today, except `last night`.
 */
function parsePartOfDay(words: string, source: TimeSource): Moment | null {
  const partMatch = PART.exec(words)
  if (partMatch === null) return / (?:in the|at night)\b/.test(words) ? parseWeekday(`today ${words}`, source) : null
  const part = partMatch[3] === 'tonight' ? 'night' : (partMatch[3] ?? partMatch[2] ?? '')
  return parseWeekday(`${partMatch[1] === 'last' ? 'yesterday' : 'today'} ${part}`, source)
}

/** Parses a weekday with or without a time of day. */
function parseWeekday(words: string, source: TimeSource): Moment | null {
  const weekdayMatch = DAY.exec(words)
  if (weekdayMatch === null) return null
  const clock = weekdayMatch[3] === undefined ? { hour: 12, minute: 0, second: 0 } : parseClock(weekdayMatch[3])
  if (clock === null) return null
  const now = momentNow(source)
  const wall = now.$seconds + now.$offset
  const midnight =
    Math.floor(wall / 86_400) +
    daysUntil(weekdayMatch[2] ?? '', weekdayMatch[1] === 'last', new Date(wall * 1000).getUTCDay())
  return inZone(midnight * 86_400 + clock.hour * 3600 + clock.minute * 60 + clock.second, 0, source.timeZone)
}

function daysUntil(name: string, last: boolean, today: number): number {
  if (name === 'today') return 0
  if (name === 'tomorrow') return 1
  if (name === 'yesterday') return -1
  const day = DAYS.findIndex((full) => full.startsWith(name.slice(0, 3)))
  // The next or the previous such weekday. It is never today.
  return last ? -((today - day + 6) % 7) - 1 : ((day - today + 6) % 7) + 1
}

interface Clock {
  readonly hour: number
  readonly minute: number
  readonly second: number
}

function parseClock(text: string): Clock | null {
  const part = PARTS.get(text.replace(/^(?:in the|at) /, ''))
  if (part !== undefined) return part
  const [, number, when] = /^(.+?) (?:in the (morning|afternoon|evening)|at (?:night))$/.exec(text) ?? []
  const fields = parseDateFields(number ?? text)
  if (fields === null || fields.hour === null || fields.hour > 23 || fields.month !== null || fields.year !== null)
    return number === undefined || !/^\d{1,2}$/.test(number)
      ? null
      : inHalfOfDay({ hour: Number(number), minute: 0, second: 0 }, when)
  const clock = { hour: fields.hour, minute: fields.minute ?? 0, second: fields.second ?? 0 }
  return number === undefined ? clock : inHalfOfDay(clock, when)
}

/** Converts an hour on a 12-hour clock to an hour in the given half of the day. */
function inHalfOfDay(clock: Clock, when: string | undefined): Clock | null {
  if (clock.hour > 12) return null
  return { ...clock, hour: (clock.hour % 12) + (when === 'morning' ? 0 : 12) }
}

/** Parses a written date. In `12/05/2012` the month comes first. */
function parseWrittenDate(text: string, source: TimeSource): Moment | null {
  const iso = text.replace(AMERICAN, (_, month: string, day: string, year: string) => `${year}-${month}-${day}`)
  const fields = parseDateFields(iso)
  if (fields === null) return null
  const moment = parseText(iso, source)
  if (moment === null) return null
  if (fields.hour === null) return inZone(moment.$seconds + moment.$offset + 43_200, 0, source.timeZone)
  return momentIn(moment.$seconds, moment.$nanos, source.timeZone)
}
