/**
 * Formats times with all of Ruby's `strftime` directives and flags. The dates of a page are usually close to each other. The parts of a
 * format that depend only on the day, or only on the minute of the day, are therefore cached.
 */
import { ArgumentFault } from '../fault.ts'
import { Moment, formatOffset } from './moment.ts'
import { momentIn, wallSeconds } from './time.ts'
import { findOffset } from './zone.ts'

/** Names that `strftime` prints; translations may replace them. */
export interface CalendarNames {
  readonly months: readonly string[]
  readonly shortMonths: readonly string[]
  readonly days: readonly string[]
  readonly shortDays: readonly string[]
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

export const ENGLISH: CalendarNames = {
  months: MONTHS,
  shortMonths: MONTHS.map((name) => name.slice(0, 3)),
  days: DAYS,
  shortDays: DAYS.map((name) => name.slice(0, 3)),
}

/** The input of a directive: the moment and its wall-clock time. */
class FormattedTime {
  readonly moment: Moment
  readonly names: CalendarNames
  /** The wall-clock time in seconds since the epoch, as if its zone were UTC. */
  readonly seconds: number
  #day: Date | null = null

  constructor(moment: Moment, names: CalendarNames) {
    this.moment = moment
    this.names = names
    this.seconds = moment.$seconds + moment.$offset
  }

  /** Returns the wall-clock day, in the UTC parts of a `Date`. */
  get day(): Date {
    return (this.#day ??= new Date(this.seconds * 1000))
  }

  get hour(): number {
    return Math.floor(secondOfDay(this.seconds) / 3600)
  }

  get minute(): number {
    return minuteOfDay(this.seconds) % 60
  }

  get second(): number {
    return secondOfDay(this.seconds) % 60
  }
}

function dayNumber(seconds: number): number {
  return Math.floor(seconds / 86_400)
}

function secondOfDay(seconds: number): number {
  return seconds - dayNumber(seconds) * 86_400
}

function minuteOfDay(seconds: number): number {
  return Math.floor(secondOfDay(seconds) / 60)
}

const padTwo = (n: number): string => (n < 10 ? `0${n}` : `${n}`)
const hour12 = (s: FormattedTime): number => s.hour % 12 || 12
const dayOfEpoch = (d: Date): number => Math.floor(d.getTime() / 86_400_000)

function yearDay(d: Date): number {
  return dayOfEpoch(d) - wallSeconds(d.getUTCFullYear(), 1, 1) / 86_400 + 1
}

/** Returns the year and number of the ISO week. */
function isoWeek(d: Date): { year: number; week: number } {
  const thursday = new Date((dayOfEpoch(d) + 3 - ((d.getUTCDay() + 6) % 7)) * 86_400_000)
  return { year: thursday.getUTCFullYear(), week: Math.ceil(yearDay(thursday) / 7) }
}

/** Returns the week of the year, counted from its first weekday `from` (0 Sunday, 1 Monday). */
function weekOfYear(d: Date, from: 0 | 1): number {
  return Math.floor((yearDay(d) + 6 - ((d.getUTCDay() + 7 - from) % 7)) / 7)
}

/** The scope of a text, which is the input that it depends on: none, only the day, only the minute of the day, or more. */
type Scope = 'nothing' | 'day' | 'minute' | 'moment'

interface Directive {
  readonly scope: Scope
  readonly read: (s: FormattedTime) => number | string
  /** The default number of digits or characters; 0 for texts. */
  readonly width: number
  readonly pad: '0' | ' '
  /** Whether the flag `#` converts to lower case, instead of upper case. */
  readonly lowers?: boolean
}

type Read<T> = (s: FormattedTime) => T

const number = (scope: Scope, width: number, read: Read<number | string>, pad: '0' | ' ' = '0'): Directive => ({
  scope,
  read,
  width,
  pad,
})
const words = (scope: Scope, read: Read<string>, lowers = false): Directive => ({
  scope,
  read,
  width: 0,
  pad: ' ',
  lowers,
})

const DIRECTIVES: ReadonlyMap<string, Directive> = new Map<string, Directive>([
  ['Y', number('day', 4, (s) => yearText(s.day.getUTCFullYear()))],
  ['C', number('day', 2, (s) => Math.floor(s.day.getUTCFullYear() / 100))],
  ['y', number('day', 2, (s) => ((s.day.getUTCFullYear() % 100) + 100) % 100)],
  ['m', number('day', 2, (s) => s.day.getUTCMonth() + 1)],
  ['B', words('day', (s) => s.names.months[s.day.getUTCMonth()] ?? '')],
  ['b', words('day', (s) => s.names.shortMonths[s.day.getUTCMonth()] ?? '')],
  ['h', words('day', (s) => s.names.shortMonths[s.day.getUTCMonth()] ?? '')],
  ['d', number('day', 2, (s) => s.day.getUTCDate())],
  ['e', number('day', 2, (s) => s.day.getUTCDate(), ' ')],
  ['j', number('day', 3, (s) => yearDay(s.day))],
  ['H', number('minute', 2, (s) => s.hour)],
  ['k', number('minute', 2, (s) => s.hour, ' ')],
  ['I', number('minute', 2, (s) => hour12(s))],
  ['l', number('minute', 2, (s) => hour12(s), ' ')],
  ['M', number('minute', 2, (s) => s.minute)],
  ['S', number('moment', 2, (s) => s.second)],
  ['P', words('minute', (s) => (s.hour < 12 ? 'am' : 'pm'))],
  ['p', words('minute', (s) => (s.hour < 12 ? 'AM' : 'PM'), true)],
  ['A', words('day', (s) => s.names.days[s.day.getUTCDay()] ?? '')],
  ['a', words('day', (s) => s.names.shortDays[s.day.getUTCDay()] ?? '')],
  ['u', number('day', 1, (s) => s.day.getUTCDay() || 7)],
  ['w', number('day', 1, (s) => s.day.getUTCDay())],
  ['G', number('day', 4, (s) => yearText(isoWeek(s.day).year))],
  ['g', number('day', 2, (s) => isoWeek(s.day).year % 100)],
  ['V', number('day', 2, (s) => isoWeek(s.day).week)],
  ['U', number('day', 2, (s) => weekOfYear(s.day, 0))],
  ['W', number('day', 2, (s) => weekOfYear(s.day, 1))],
  ['s', number('moment', 1, (s) => s.moment.$seconds)],
  ['Z', words('moment', (s) => s.moment.$zone, true)],
  ['n', words('nothing', () => '\n')],
  ['t', words('nothing', () => '\t')],
  ['%', words('nothing', () => '%')],
])

const COMPOSITES: ReadonlyMap<string, string> = new Map([
  ['c', '%a %b %e %H:%M:%S %Y'],
  ['D', '%m/%d/%y'],
  ['x', '%m/%d/%y'],
  ['F', '%Y-%m-%d'],
  ['v', '%e-%^b-%Y'],
  ['X', '%H:%M:%S'],
  ['T', '%H:%M:%S'],
  ['R', '%H:%M'],
  ['r', '%I:%M:%S %p'],
  ['+', '%a %b %e %H:%M:%S %Z %Y'],
])

function yearText(year: number): string {
  return year < 0 ? `-${`${-year}`.padStart(4, '0')}` : `${year}`.padStart(4, '0')
}

const MAX_WIDTH = 1000
const DIRECTIVE = /%([-0^#_]*)(\d*)(:{0,3})([EO]?)([a-zA-Z%+])/g

/** A literal text or a directive of a format. */
interface Segment {
  readonly scope: Scope
  readonly print: Read<string>
}

function literalSegment(text: string): Segment {
  return { scope: 'nothing', print: () => text }
}

/** Parses a format. Unknown directives are literal text. */
function parseFormat(format: string): readonly Segment[] {
  const segments: Segment[] = []
  let literalStart = 0
  for (const directiveMatch of format.matchAll(DIRECTIVE)) {
    const [, flags = '', digits = '', colons = '', , letter = ''] = directiveMatch
    const printed = parseDirective(flags, digits, colons, letter)
    if (printed === null) continue
    if (directiveMatch.index > literalStart)
      segments.push(literalSegment(format.slice(literalStart, directiveMatch.index)))
    segments.push(...printed)
    literalStart = directiveMatch.index + directiveMatch[0].length
  }
  if (literalStart < format.length) segments.push(literalSegment(format.slice(literalStart)))
  return segments
}

function parseDirective(flags: string, digits: string, colons: string, letter: string): readonly Segment[] | null {
  const width = digits === '' ? null : Number(digits)
  if (width !== null && width > MAX_WIDTH) return null
  if (letter === 'z') return [{ scope: 'moment', print: printOffset(flags, width, colons.length) }]
  if (colons !== '') return null
  if (letter === 'N' || letter === 'L')
    return [{ scope: 'moment', print: printFraction(width ?? (letter === 'N' ? 9 : 3)) }]
  const composite = COMPOSITES.get(letter)
  if (composite !== undefined) return compositeSegments(composite, flags, width)
  const knownDirective = DIRECTIVES.get(letter)
  return knownDirective === undefined
    ? null
    : [{ scope: knownDirective.scope, print: withFlags(knownDirective, flags, width) }]
}

function compositeSegments(format: string, flags: string, width: number | null): readonly Segment[] {
  const segments = parseFormat(format)
  if (flags === '' && width === null) return segments
  const pad = flags.includes('0') ? '0' : ' '
  const print = printAll(segments)
  const scope = segments.reduce<Scope>((all, segment) => joinScopes(all, segment.scope) ?? 'moment', 'nothing')
  return [{ scope, print: (s) => changeCase(print(s), flags, false).padStart(width ?? 0, pad) }]
}

function printAll(segments: readonly Segment[]): Read<string> {
  const [only] = segments
  if (segments.length === 1 && only !== undefined) return only.print
  return (s) => {
    let out = ''
    for (const segment of segments) out += segment.print(s)
    return out
  }
}

/** Returns the scope of two texts together; null when they depend on different input. */
function joinScopes(a: Scope, b: Scope): Scope | null {
  if (a === 'nothing') return b
  return b === 'nothing' || a === b ? a : null
}

function printFraction(digits: number): Read<string> {
  return (s) => `${s.moment.$nanos}`.padStart(9, '0').slice(0, digits).padEnd(digits, '0')
}

function withFlags(directive: Directive, flags: string, width: number | null): Read<string> {
  // Names are never padded.
  if (flags === '' && width === null && directive.width === 0) return (s) => `${directive.read(s)}`
  const padding = lastPadding(flags)
  const pad = padding === '0' ? '0' : padding === '_' ? ' ' : directive.pad
  const size = padding === '-' ? 0 : (width ?? directive.width)
  return (s) =>
    changeCase(padText(`${directive.read(s)}`, size, pad, padding === '-'), flags, directive.lowers === true)
}

/** Returns the last padding flag, which is the one that applies. */
function lastPadding(flags: string): string {
  for (let index = flags.length - 1; index >= 0; index--) {
    const flag = flags.charAt(index)
    if ('-0_'.includes(flag)) return flag
  }
  return ''
}

function padText(text: string, size: number, pad: string, isUnpadded: boolean): string {
  if (isUnpadded) return text.replace(/^0+(?=\d)/, '')
  if (pad === '0' && text.length >= size) return text
  // The sign comes before the zeros.
  if (pad === '0' && text.startsWith('-')) return `-${text.slice(1).padStart(size - 1, '0')}`
  return pad === ' ' ? text.replace(/^0+(?=\d)/, '').padStart(size, ' ') : text.padStart(size, '0')
}

function changeCase(text: string, flags: string, lowers: boolean): string {
  if (flags === '') return text
  if (flags.includes('#')) return lowers ? text.toLowerCase() : text.toUpperCase()
  return flags.includes('^') ? text.toUpperCase() : text
}

function printOffset(flags: string, width: number | null, colons: number): Read<string> {
  return (s) => {
    const { $offset: offset } = s.moment
    const seconds = `${padTwo(Math.abs(offset) % 60)}`
    let text = formatOffset(offset, colons === 0 ? '' : ':')
    if (colons === 2 || (colons === 3 && seconds !== '00')) text += `:${seconds}`
    if (colons === 3 && seconds === '00') text = text.endsWith(':00') ? text.slice(0, 3) : text
    if (flags.includes('-')) return text.replace(/^([-+])0/, '$1')
    if (flags.includes('_')) return text.replace(/^([-+])0/, ' $1').padStart(width ?? 0, ' ')
    return text.charAt(0) + text.slice(1).padStart((width ?? 0) - 1, '0')
  }
}

/** Caches the output of adjacent segments that depend only on the day, or only on the minute of the day. */
class CachedText {
  readonly #print: Read<string>
  readonly #names: CalendarNames
  readonly #daily: boolean
  readonly #texts = new Map<number, string>()

  constructor(print: Read<string>, scope: 'day' | 'minute', names: CalendarNames) {
    this.#print = print
    this.#names = names
    this.#daily = scope === 'day'
  }

  /** Returns the text for a wall-clock time in seconds. */
  at(seconds: number): string {
    const key = this.#daily ? dayNumber(seconds) : minuteOfDay(seconds)
    return this.#texts.get(key) ?? this.#add(key, seconds)
  }

  #add(key: number, seconds: number): string {
    // These segments read only the wall-clock time, so any zone can be used for the moment.
    const text = this.#print(new FormattedTime(new Moment('time', seconds, 0, 0, 'UTC'), this.#names))
    if (text.length <= MAX_CACHED_LENGTH) {
      if (++textCount > MAX_TEXTS) clearCaches()
      this.#texts.set(key, text)
    }
    return text
  }
}

/** A compiled format, with the names that it prints. */
class Format {
  readonly #names: CalendarNames
  readonly #parts: readonly (CachedText | Read<string>)[]
  /** The cached text, when it is the entire format; otherwise null. */
  readonly cachedWhole: CachedText | null

  constructor(format: string, names: CalendarNames) {
    this.#names = names
    this.#parts = groupByScope(parseFormat(format)).map(({ scope, segments }) => {
      const print = printAll(segments)
      return scope === 'day' || scope === 'minute' ? new CachedText(print, scope, names) : print
    })
    const [first] = this.#parts
    this.cachedWhole = this.#parts.length === 1 && first instanceof CachedText ? first : null
  }

  print(moment: Moment): string {
    const time = new FormattedTime(moment, this.#names)
    let out = ''
    for (const part of this.#parts) out += part instanceof CachedText ? part.at(time.seconds) : part(time)
    return out
  }
}

interface Group {
  scope: Scope
  readonly segments: Segment[]
}

/** Groups adjacent segments of the same scope. Literal text joins the group before it, or otherwise the group after it. */
function groupByScope(segments: readonly Segment[]): readonly Group[] {
  const groups: Group[] = []
  for (const segment of segments) {
    const lastGroup = groups.at(-1)
    const scope = lastGroup === undefined ? segment.scope : joinScopes(lastGroup.scope, segment.scope)
    if (lastGroup === undefined || scope === null) groups.push({ scope: segment.scope, segments: [segment] })
    else {
      lastGroup.scope = scope
      lastGroup.segments.push(segment)
    }
  }
  return groups
}

const MAX_FORMATS = 500
const MAX_TEXTS = 10_000
/** Maximum length of a cached text. */
const MAX_CACHED_LENGTH = 100

let english = new Map<string, Format>()
let translated = new WeakMap<CalendarNames, Map<string, Format>>()
let formatCount = 0
let textCount = 0

function clearCaches(): void {
  english = new Map()
  translated = new WeakMap()
  formatCount = 0
  textCount = 0
}

function findFormat(format: string, names: CalendarNames): Format {
  return (names === ENGLISH ? english : translated.get(names))?.get(format) ?? compileFormat(format, names)
}

function compileFormat(format: string, names: CalendarNames): Format {
  if (format.length > 10_000) throw new ArgumentFault('the format of a date is too long')
  const newFormat = new Format(format, names)
  if (++formatCount > MAX_FORMATS) clearCaches()
  let formats = names === ENGLISH ? english : translated.get(names)
  if (formats === undefined) {
    formats = new Map()
    translated.set(names, formats)
  }
  formats.set(format, newFormat)
  return newFormat
}

/**
 * Formats a moment (`%Y-%m-%d`).
 * @throws ArgumentFault for a format of more than 10,000 characters
 */
export function strftime(moment: Moment, format: string, names: CalendarNames = ENGLISH): string {
  const compiledFormat = findFormat(format, names)
  return compiledFormat.cachedWhole === null
    ? compiledFormat.print(moment)
    : compiledFormat.cachedWhole.at(moment.$seconds + moment.$offset)
}

/**
 * Formats a time in a zone, given in seconds since the epoch, like `strftime`.
 * @throws ArgumentFault for an unknown zone, and as `strftime`
 */
export function strftimeSeconds(seconds: number, format: string, timeZone: string): string {
  const compiledFormat = findFormat(format, ENGLISH)
  return compiledFormat.cachedWhole === null
    ? compiledFormat.print(momentIn(seconds, 0, timeZone))
    : compiledFormat.cachedWhole.at(seconds + findOffset(timeZone, seconds))
}
