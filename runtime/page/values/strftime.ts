/** Formats times with all of Ruby's `strftime` directives and flags. */
import { ArgumentFault } from '../fault.ts'
import { type Moment, offsetText } from './moment.ts'
import { wallSeconds } from './time.ts'

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

/** Input of directives: the moment and its wall-clock time. */
class FormattedTime {
  readonly moment: Moment
  readonly names: CalendarNames
  /** Seconds since the epoch, as if the wall-clock time were UTC. */
  readonly seconds: number
  #wall: Date | null = null

  constructor(moment: Moment, names: CalendarNames) {
    this.moment = moment
    this.names = names
    this.seconds = moment.$seconds + moment.$offset
  }

  get wall(): Date {
    return (this.#wall ??= new Date(this.seconds * 1000))
  }
}

/** A calendar date. `month`: 0 is January; `weekday`: 0 is Sunday. */
interface CalendarDay {
  /** Days since the epoch. */
  readonly at: number
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
}

function calendarDay(at: number): CalendarDay {
  const date = new Date(at * 86_400_000)
  const [year, month, day, weekday] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCDay()]
  return { at, year, month, day, weekday }
}

// Cached, because the dates of a page are close to each other, and each is often printed several times.
let lastDay = calendarDay(0)

function dayOfSeconds(seconds: number): CalendarDay {
  const at = Math.floor(seconds / 86_400)
  if (at !== lastDay.at) lastDay = calendarDay(at)
  return lastDay
}

function secondOfDay(seconds: number): number {
  return seconds - Math.floor(seconds / 86_400) * 86_400
}

/** A literal text, a directive for `plainDirective`, or a function for any other directive. */
type FormatPart = string | PlainDirective | ((s: FormattedTime) => string)

const two = (n: number): string => (n < 10 ? `0${n}` : `${n}`)
const hour12 = (d: Date): number => d.getUTCHours() % 12 || 12
const midnight = (d: Date): number => Math.floor(d.getTime() / 86_400_000)

function yearDay(d: Date): number {
  return midnight(d) - wallSeconds(d.getUTCFullYear(), 1, 1) / 86_400 + 1
}

/** Year and number of the ISO week. */
function isoWeek(d: Date): { year: number; week: number } {
  const thursday = new Date((midnight(d) + 3 - ((d.getUTCDay() + 6) % 7)) * 86_400_000)
  return { year: thursday.getUTCFullYear(), week: Math.ceil(yearDay(thursday) / 7) }
}

/** Week of the year, counted from its first weekday `from` (0 Sunday, 1 Monday). */
function week(d: Date, from: 0 | 1): number {
  return Math.floor((yearDay(d) + 6 - ((d.getUTCDay() + 7 - from) % 7)) / 7)
}

interface Directive {
  readonly read: (s: FormattedTime) => number | string
  /** Default number of digits (or characters); 0 for texts. */
  readonly width: number
  readonly pad: '0' | ' '
  /** Whether `#` converts to lower instead of upper case. */
  readonly lowers?: boolean
}

const number = (width: number, read: (s: FormattedTime) => number, pad: '0' | ' ' = '0'): Directive => ({
  read,
  width,
  pad,
})
const words = (read: (s: FormattedTime) => string, lowers = false): Directive => ({ read, width: 0, pad: ' ', lowers })

const DIRECTIVES: ReadonlyMap<string, Directive> = new Map<string, Directive>([
  ['Y', { read: (s) => yearText(s.wall.getUTCFullYear()), width: 4, pad: '0' }],
  ['C', number(2, (s) => Math.floor(s.wall.getUTCFullYear() / 100))],
  ['y', number(2, (s) => ((s.wall.getUTCFullYear() % 100) + 100) % 100)],
  ['m', number(2, (s) => s.wall.getUTCMonth() + 1)],
  ['B', words((s) => s.names.months[s.wall.getUTCMonth()] ?? '')],
  ['b', words((s) => s.names.shortMonths[s.wall.getUTCMonth()] ?? '')],
  ['h', words((s) => s.names.shortMonths[s.wall.getUTCMonth()] ?? '')],
  ['d', number(2, (s) => s.wall.getUTCDate())],
  ['e', number(2, (s) => s.wall.getUTCDate(), ' ')],
  ['j', number(3, (s) => yearDay(s.wall))],
  ['H', number(2, (s) => s.wall.getUTCHours())],
  ['k', number(2, (s) => s.wall.getUTCHours(), ' ')],
  ['I', number(2, (s) => hour12(s.wall))],
  ['l', number(2, (s) => hour12(s.wall), ' ')],
  ['M', number(2, (s) => s.wall.getUTCMinutes())],
  ['S', number(2, (s) => s.wall.getUTCSeconds())],
  ['P', words((s) => (s.wall.getUTCHours() < 12 ? 'am' : 'pm'))],
  ['p', words((s) => (s.wall.getUTCHours() < 12 ? 'AM' : 'PM'), true)],
  ['A', words((s) => s.names.days[s.wall.getUTCDay()] ?? '')],
  ['a', words((s) => s.names.shortDays[s.wall.getUTCDay()] ?? '')],
  ['u', number(1, (s) => s.wall.getUTCDay() || 7)],
  ['w', number(1, (s) => s.wall.getUTCDay())],
  ['G', { read: (s) => yearText(isoWeek(s.wall).year), width: 4, pad: '0' }],
  ['g', number(2, (s) => isoWeek(s.wall).year % 100)],
  ['V', number(2, (s) => isoWeek(s.wall).week)],
  ['U', number(2, (s) => week(s.wall, 0))],
  ['W', number(2, (s) => week(s.wall, 1))],
  ['s', number(1, (s) => s.moment.$seconds)],
  ['Z', words((s) => s.moment.$zone, true)],
  ['n', words(() => '\n')],
  ['t', words(() => '\t')],
  ['%', words(() => '%')],
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

/** The character code of a frequent directive without flags. */
type PlainDirective = number

const PLAIN: ReadonlySet<string> = new Set('YmdHMSybBaA')

function plainDirective(code: PlainDirective, { seconds, names }: FormattedTime): string {
  switch (code) {
    case 72: // H
      return two(Math.floor(secondOfDay(seconds) / 3600))
    case 77: // M
      return two(Math.floor(secondOfDay(seconds) / 60) % 60)
    case 83: // S
      return two(secondOfDay(seconds) % 60)
    case 89: // Y
      return yearText(dayOfSeconds(seconds).year)
    case 109: // m
      return two(dayOfSeconds(seconds).month + 1)
    case 100: // d
      return two(dayOfSeconds(seconds).day)
    case 121: // y
      return two(((dayOfSeconds(seconds).year % 100) + 100) % 100)
    case 98: // b
      return names.shortMonths[dayOfSeconds(seconds).month] ?? ''
    case 66: // B
      return names.months[dayOfSeconds(seconds).month] ?? ''
    case 97: // a
      return names.shortDays[dayOfSeconds(seconds).weekday] ?? ''
    default: // A
      return names.days[dayOfSeconds(seconds).weekday] ?? ''
  }
}

const MAX_WIDTH = 1000
const DIRECTIVE = /%([-0^#_]*)(\d*)(:{0,3})([EO]?)([a-zA-Z%+])/g

/** Compiles a format; unknown directives are kept as text. */
function compile(format: string): readonly FormatPart[] {
  const pieces: FormatPart[] = []
  let last = 0
  for (const found of format.matchAll(DIRECTIVE)) {
    const piece = directive(found[1]!, found[2]!, found[3]!, found[5]!)
    if (piece === null) continue
    if (found.index > last) pieces.push(format.slice(last, found.index))
    pieces.push(piece)
    last = found.index + found[0].length
  }
  if (last < format.length) pieces.push(format.slice(last))
  return pieces
}

function directive(flags: string, digits: string, colons: string, letter: string): FormatPart | null {
  const width = digits === '' ? null : Number(digits)
  if (width !== null && width > MAX_WIDTH) return null
  if (letter === 'z') return zonePiece(flags, width, colons.length)
  if (colons !== '') return null
  if (flags === '' && width === null && PLAIN.has(letter)) return letter.charCodeAt(0)
  if (letter === 'N' || letter === 'L') return fractionPiece(width ?? (letter === 'N' ? 9 : 3))
  const composite = COMPOSITES.get(letter)
  if (composite !== undefined) return compositePiece(composite, flags, width)
  const found = DIRECTIVES.get(letter)
  return found === undefined ? null : flagged(found, flags, width)
}

function compositePiece(format: string, flags: string, width: number | null): FormatPart {
  const pieces = compile(format)
  const pad = flags.includes('0') ? '0' : ' '
  return (s) => cased(run(pieces, s), flags, false).padStart(width ?? 0, pad)
}

function fractionPiece(digits: number): FormatPart {
  return (s) => `${s.moment.$nanos}`.padStart(9, '0').slice(0, digits).padEnd(digits, '0')
}

function flagged(found: Directive, flags: string, width: number | null): FormatPart {
  const padding = lastPadding(flags)
  const pad = padding === '0' ? '0' : padding === '_' ? ' ' : found.pad
  const size = padding === '-' ? 0 : (width ?? found.width)
  return (s) => cased(padded(`${found.read(s)}`, size, pad, padding === '-'), flags, found.lowers === true)
}

/** The last padding flag applies. */
function lastPadding(flags: string): string {
  for (let index = flags.length - 1; index >= 0; index--) if ('-0_'.includes(flags[index]!)) return flags[index]!
  return ''
}

function padded(text: string, size: number, pad: string, bare: boolean): string {
  if (bare) return text.replace(/^0+(?=\d)/, '')
  // Zeros follow the sign.
  if (pad === '0' && text.startsWith('-')) return `-${text.slice(1).padStart(size - 1, '0')}`
  return pad === ' ' ? text.replace(/^0+(?=\d)/, '').padStart(size, ' ') : text.padStart(size, '0')
}

function cased(text: string, flags: string, lowers: boolean): string {
  if (flags.includes('#')) return lowers ? text.toLowerCase() : text.toUpperCase()
  return flags.includes('^') ? text.toUpperCase() : text
}

function zonePiece(flags: string, width: number | null, colons: number): FormatPart {
  return (s) => {
    const { $offset: offset } = s.moment
    const seconds = `${two(Math.abs(offset) % 60)}`
    let text = offsetText(offset, colons === 0 ? '' : ':')
    if (colons === 2 || (colons === 3 && seconds !== '00')) text += `:${seconds}`
    if (colons === 3 && seconds === '00') text = text.endsWith(':00') ? text.slice(0, 3) : text
    if (flags.includes('-')) return text.replace(/^([-+])0/, '$1')
    if (flags.includes('_')) return text.replace(/^([-+])0/, ' $1').padStart(width ?? 0, ' ')
    return text[0]! + text.slice(1).padStart((width ?? 0) - 1, '0')
  }
}

function run(pieces: readonly FormatPart[], s: FormattedTime): string {
  let out = ''
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index]!
    out += typeof piece === 'number' ? plainDirective(piece, s) : typeof piece === 'string' ? piece : piece(s)
  }
  return out
}

const MAX_FORMATS = 500
const formats = new Map<string, readonly FormatPart[]>()

/**
 * Formats a moment (`%Y-%m-%d`).
 * @throws ArgumentFault for a format of more than 10,000 characters
 */
export function strftime(moment: Moment, format: string, names: CalendarNames = ENGLISH): string {
  let pieces = formats.get(format)
  if (pieces === undefined) {
    if (format.length > 10_000) throw new ArgumentFault('the format of a date is too long')
    pieces = compile(format)
    if (formats.size >= MAX_FORMATS) formats.clear()
    formats.set(format, pieces)
  }
  return run(pieces, new FormattedTime(moment, names))
}
