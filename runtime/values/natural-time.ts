/** Times in natural words: `now`, `tomorrow at 5pm`, `3 days ago`, `in 10 minutes`, `next friday`, and everything that names a date. */
import { parseFields } from './date-text.ts'
import { inZone, type Moment, momentIn, momentNow, parseText, type TimeSource, wallSeconds } from './time.ts'

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ['s', 'second'],
  ['sec', 'second'],
  ['second', 'second'],
  ['min', 'minute'],
  ['m', 'minute'],
  ['minute', 'minute'],
  ['h', 'hour'],
  ['hour', 'hour'],
  ['d', 'day'],
  ['day', 'day'],
  ['w', 'week'],
  ['week', 'week'],
  ['mo', 'month'],
  ['month', 'month'],
  ['y', 'year'],
  ['year', 'year'],
])

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/** The unit that a word or abbreviation names (`mo`, `days`); null for none. */
export function unitNamed(word: string): Unit | null {
  const name = word.trim().toLowerCase()
  // An `s` makes a plural of words, never of the letters: `ms` is no minute.
  return UNITS.get(name) ?? (name.length > 3 ? (UNITS.get(name.replace(/s$/, '')) ?? null) : null)
}

const SECONDS: Readonly<Record<'second' | 'minute' | 'hour', number>> = { second: 1, minute: 60, hour: 3600 }

/** A moment moved by whole units: days keep the time of the day, months and years end on the last day when it is shorter. */
export function moved(m: Moment, count: number, unit: Unit, timeZone: string): Moment {
  if (unit === 'second' || unit === 'minute' || unit === 'hour') {
    return momentIn(m.$seconds + count * SECONDS[unit], m.$nanos, timeZone)
  }
  const wall = movedWall(m.$seconds + m.$offset, count, unit)
  return timeZone === 'UTC' ? momentIn(wall, m.$nanos, 'UTC') : inZone(wall, m.$nanos, timeZone)
}

/** Wall-clock seconds moved by days, weeks, months or years. */
export function movedWall(wall: number, count: number, unit: 'day' | 'week' | 'month' | 'year'): number {
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

const NUMBERS: ReadonlyMap<string, number> = new Map(
  'a one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, index) => [word, Math.max(1, index)]),
)

const AGO = /^(?:about\s+)?(\d{1,9}|[a-z]+)\s*([a-z]+)\s+(ago|before now|from now|hence|later)$/
const IN = /^in\s+(\d{1,9}|[a-z]+)\s*([a-z]+)$/
const NEXT = /^(next|last|this)\s+(second|minute|hour|day|week|month|year)$/
const DAY =
  /^(?:(next|last|this|on)\s+)?(today|tomorrow|yesterday|sunday|monday|tuesday|wednesday|thursday|friday|saturday|sun|mon|tue|wed|thu|fri|sat)(?:\s*,?\s*(?:at\s+)?(.+))?$/
const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/

/** The time that a text names, shown in a zone; null when it names none. A day without a time of day means its noon. */
export function naturalTime(text: string, source: TimeSource, timeZone: string): Moment | null {
  if (text.length > 128) return null
  const here: TimeSource = { now: () => source.now(), timeZone }
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ')
  if (words === '') return null
  if (/^\d+$/.test(words) && words.length !== 8) return seconds(Number(words), timeZone)
  if (words === 'now' || words === 'today') return momentNow(here)
  return relative(words, here) ?? weekday(words, here) ?? written(text.trim(), here)
}

function seconds(n: number, timeZone: string): Moment | null {
  return n <= 8.64e12 ? momentIn(n, 0, timeZone) : null
}

function relative(words: string, here: TimeSource): Moment | null {
  const ago = AGO.exec(words)
  if (ago !== null) return shifted(ago[1]!, ago[2]!, ago[3] === 'ago' || ago[3] === 'before now' ? -1 : 1, here)
  const ahead = IN.exec(words)
  if (ahead !== null) return shifted(ahead[1]!, ahead[2]!, 1, here)
  const next = NEXT.exec(words)
  if (next === null) return null
  return shifted('1', next[2]!, next[1] === 'last' ? -1 : next[1] === 'next' ? 1 : 0, here)
}

function shifted(count: string, word: string, sign: number, here: TimeSource): Moment | null {
  const n = /^\d+$/.test(count) ? Number(count) : NUMBERS.get(count === 'an' ? 'a' : count)
  const unit = unitNamed(word)
  if (n === undefined || unit === null || n > 1e7) return null
  return moved(momentNow(here), sign * n, unit, here.timeZone)
}

/** A day by its name, with or without a time of day. */
function weekday(words: string, here: TimeSource): Moment | null {
  const found = DAY.exec(words)
  if (found === null) return null
  const clock = found[3] === undefined ? { hour: 12, minute: 0, second: 0 } : clockOf(found[3])
  if (clock === null) return null
  const now = momentNow(here)
  const wall = now.$seconds + now.$offset
  const midnight = Math.floor(wall / 86_400) + daysTo(found[2]!, found[1] === 'last', new Date(wall * 1000).getUTCDay())
  return inZone(midnight * 86_400 + clock.hour * 3600 + clock.minute * 60 + clock.second, 0, here.timeZone)
}

function daysTo(name: string, last: boolean, today: number): number {
  if (name === 'today') return 0
  if (name === 'tomorrow') return 1
  if (name === 'yesterday') return -1
  const day = DAYS.findIndex((full) => full.startsWith(name))
  // The coming one, or the one that was, never today.
  return last ? -((today - day + 6) % 7) - 1 : ((day - today + 6) % 7) + 1
}

function clockOf(text: string): { hour: number; minute: number; second: number } | null {
  if (text === 'noon') return { hour: 12, minute: 0, second: 0 }
  if (text === 'midnight') return { hour: 0, minute: 0, second: 0 }
  const fields = parseFields(text)
  if (fields === null || fields.hour === null || fields.hour > 23 || fields.month !== null || fields.year !== null)
    return null
  return { hour: fields.hour, minute: fields.minute ?? 0, second: fields.second ?? 0 }
}

/** A date as it is written; the month comes first in `12/05/2012`. */
function written(text: string, here: TimeSource): Moment | null {
  const iso = text.replace(AMERICAN, (_, month: string, day: string, year: string) => `${year}-${month}-${day}`)
  const fields = parseFields(iso)
  if (fields === null) return null
  const moment = parseText(iso, here)
  if (moment === null) return null
  if (fields.hour === null) return inZone(moment.$seconds + moment.$offset + 43_200, 0, here.timeZone)
  return momentIn(moment.$seconds, moment.$nanos, here.timeZone)
}
