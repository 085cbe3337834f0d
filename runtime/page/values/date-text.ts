/**
 * Parses dates in free text. The patterns are tried in the same order as in Ruby's `Date._parse`, because the order
 * determines the result, such as for `02/05/2024`.
 */

/** The parts of a date in a text. Missing parts are null. */
interface DateFields {
  year: number | null
  month: number | null
  day: number | null
  yearDay: number | null
  hour: number | null
  minute: number | null
  second: number | null
  nanos: number
  /** The offset of the zone in seconds east of UTC; `UTC` when the text names UTC. */
  offset: number | 'UTC' | null
}

/** Maximum length of a text, as in the reference. It also limits the time of the patterns below. */
const MAX_LENGTH = 128

const MONTH_NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)'
const ERA =
  "(?:(c(?:e|\\.e\\.)|b(?:ce|\\.c\\.e\\.)|a(?:d|\\.d\\.)|b(?:c|\\.c\\.))?\\s*('?-?\\d+(?:(?:st|nd|rd|th)\\b)?))?"

const WEEKDAY = /\b(sun|mon|tue|wed|thu|fri|sat)[^-/\d\s]*/i
const CLOCK =
  /((?:\d+\s*:\s*\d+(?:\s*:\s*\d+(?:[,.]\d*)?)?|\d+\s*h(?:\s*\d+m?(?:\s*\d+s?)?)?)(?:\s*[ap](?:m\b|\.m\.))?|\d+\s*[ap](?:m\b|\.m\.))(?:\s*((?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|[a-z.\s]+(?:standard|daylight)\stime\b|[a-z]+(?:\sdst)?\b))?/i
const CLOCK_PARTS =
  /^(\d+)\s*(?::\s*(\d+)(?:\s*:\s*(\d+)(?:[,.](\d*))?)?|h(?:\s*(\d+)m?(?:\s*(\d+)s?)?)?)?(?:\s*([ap])(?:m\b|\.m\.))?$/i
const EUROPEAN = new RegExp(`'?(\\d+)[^-\\d\\s]*\\s*${MONTH}[^-\\d\\s']*(?:\\s*${ERA})?`, 'i')
const AMERICAN = new RegExp(`\\b${MONTH}[^-\\d\\s']*\\s*('?\\d+)[^-\\d\\s']*(?:\\s*,?\\s*${ERA})?`, 'i')
const ISO = /('?[-+]?\d+)-(\d+)-('?-?\d+)/
const ISO_WEEK = /\b(\d{2}|\d{4})?-?w(\d{2})(?:-?(\d))?\b/i
const ISO_MONTH = /(?:^|[^\d])--(\d{2})?-(\d{2})\b/
const ISO_YEAR_DAY = /\b(\d{2}|\d{4})-(\d{3})\b/
const VMS = new RegExp(`('?-?\\d+)-${MONTH}[^-/.]*-('?-?\\d+)`, 'i')
const VMS_MONTH = new RegExp(`\\b${MONTH}[^-/.]*-('?-?\\d+)(?:-('?-?\\d+))?`, 'i')
const SLASH = /('?-?\d+)\/\s*('?\d+)(?:\D\s*('?-?\d+))?/
const DOT = /('?-?\d+)\.\s*('?\d+)\.\s*('?-?\d+)/
const YEAR = /'(\d+)\b/
const MONTH_ALONE = new RegExp(`\\b${MONTH}\\S*`, 'i')
const DAY_ALONE = /(?:[^-\d]|^)(\d+)(?:st|nd|rd|th)\b/i
const DIGITS = /([-+]?)(\d{2,14})(?:\s*t?\s*(\d{2,6})?(?:[,.](\d*))?)?(z\b|[-+]\d{1,4}\b)?/i

/** Parses a text; null when it contains no date, or is longer than 128 characters. */
export function parseDateFields(text: string): DateFields | null {
  if (text.length > MAX_LENGTH) return null
  const reader = new DateTextReader(text.replace(/[^-+',./:@\p{L}\p{N}[\]]+/gu, ' '))
  return reader.read()
}

/** Reads date fields from a text and removes each matched part. */
class DateTextReader {
  #text: string
  readonly #fields: DateFields = {
    year: null,
    month: null,
    day: null,
    yearDay: null,
    hour: null,
    minute: null,
    second: null,
    nanos: 0,
    offset: null,
  }

  constructor(text: string) {
    this.#text = text
  }

  read(): DateFields | null {
    // Weekdays are ignored, as in the reference.
    this.#consume(WEEKDAY, () => {})
    this.#consume(CLOCK, ([, clock = '', zone]) => this.#clock(clock, zone))
    this.#date()
    this.#fragment()
    const f = this.#fields
    const firstFound = f.year ?? f.month ?? f.day ?? f.yearDay ?? f.hour ?? f.minute ?? f.second
    return firstFound === null ? null : f
  }

  /** Reads the first matching form of a date. */
  #date(): boolean {
    return (
      this.#consume(EUROPEAN, ([, day = '', month = '', era, year]) => this.#setNamedDate(year, month, day, era)) ||
      this.#consume(AMERICAN, ([, month = '', day = '', era, year]) => this.#setNamedDate(year, month, day, era)) ||
      this.#consume(ISO, ([, year, month, day]) => this.#setDate(year, month, day)) ||
      this.#consume(ISO_WEEK, ([, year, week, day]) => this.#week(year, Number(week), day)) ||
      this.#consume(ISO_MONTH, ([, month, day]) => {
        if (month !== undefined) this.#fields.month = Number(month)
        this.#fields.day = Number(day)
      }) ||
      this.#consume(ISO_YEAR_DAY, ([, year = '', day]) => {
        this.#setYear(year, false)
        this.#fields.yearDay = Number(day)
      }) ||
      this.#consume(VMS, ([, day = '', month = '', year]) => this.#setNamedDate(year, month, day, undefined)) ||
      this.#consume(VMS_MONTH, ([, month = '', day = '', year]) => this.#setNamedDate(year, month, day, undefined)) ||
      this.#consume(SLASH, ([, year, month, day]) => this.#setDate(year, month, day)) ||
      this.#consume(DOT, ([, year, month, day]) => this.#setDate(year, month, day)) ||
      this.#consume(YEAR, ([, year = '']) => this.#setYear(year, false)) ||
      this.#consume(MONTH_ALONE, ([, month = '']) => {
        this.#fields.month = monthNumber(month)
      }) ||
      this.#consume(DAY_ALONE, ([, day]) => {
        this.#fields.day = Number(day)
      }) ||
      this.#consume(DIGITS, (match) => this.#digits(match))
    )
  }

  /** Matches a pattern, replaces the match by a space, and reads its groups. */
  #consume(pattern: RegExp, read: (groups: RegExpExecArray) => void): boolean {
    const patternMatch = pattern.exec(this.#text)
    if (patternMatch === null) return false
    this.#text = `${this.#text.slice(0, patternMatch.index)} ${this.#text.slice(patternMatch.index + patternMatch[0].length)}`
    read(patternMatch)
    return true
  }

  #clock(clock: string, zone: string | undefined): void {
    const parts = CLOCK_PARTS.exec(clock)
    if (parts === null) return
    const half = parts[7]?.toLowerCase()
    let hour = Number(parts[1])
    if (half !== undefined) hour = (hour % 12) + (half === 'p' ? 12 : 0)
    const minute = parts[2] ?? parts[5]
    const second = parts[3] ?? parts[6]
    this.#fields.hour = hour
    this.#fields.minute = minute === undefined ? null : Number(minute)
    this.#fields.second = second === undefined ? null : Number(second)
    if (parts[4] !== undefined) this.#fields.nanos = parseNanos(parts[4])
    if (zone !== undefined) this.#fields.offset = zoneOffset(zone)
  }

  #setNamedDate(year: string | undefined, month: string, day: string, era: string | undefined): void {
    this.#setDate(year, `${monthNumber(month)}`, day, era?.toLowerCase().startsWith('b') === true)
  }

  /** Assigns three texts to year, month and day. Their lengths and apostrophes determine which is which. */
  #setDate(first: string | undefined, second: string | undefined, third: string | undefined, bc = false): void {
    let [year, month, day] = [first, second, third]
    if (year !== undefined && month !== undefined && day === undefined) [year, month, day] = [undefined, year, month]
    if (year === undefined && day !== undefined && (day.length > 2 || day.startsWith("'")))
      [year, day] = [day, undefined]
    const digits = year === undefined ? undefined : /^[^-+\d]*([-+]?\d+)[^\d]/.exec(year)?.[1]
    if (digits !== undefined) [year, day] = [day, digits]
    if (month !== undefined && (month.startsWith("'") || month.length > 2)) [year, month, day] = [month, day, year]
    if (day !== undefined && (day.startsWith("'") || day.length > 2)) [year, day] = [day, year]
    if (year !== undefined) this.#setYear(year, bc)
    if (month !== undefined) this.#fields.month = Number(/\d+/.exec(month)?.[0])
    if (day !== undefined) this.#fields.day = Number(/\d+/.exec(day)?.[0])
  }

  #setYear(text: string, bc: boolean): void {
    const yearMatch = /([-+]?)(\d+)/.exec(text)
    const sign = yearMatch?.[1]
    const digits = yearMatch?.[2]
    if (digits === undefined) return
    const value = Number(digits) * (sign === '-' ? -1 : 1)
    // A year of two digits without a sign is between 1969 and 2068.
    const short = sign === '' && digits.length <= 2 && !bc
    this.#fields.year = short ? value + (value >= 69 ? 1900 : 2000) : bc ? 1 - value : value
  }

  #week(year: string | undefined, week: number, day: string | undefined): void {
    if (year === undefined) return
    this.#setYear(year, false)
    const fourth = new Date(Date.UTC(this.#fields.year ?? 0, 0, 4))
    const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * 86_400_000
    const date = new Date(monday + ((week - 1) * 7 + Number(day ?? 1) - 1) * 86_400_000)
    this.#fields.year = date.getUTCFullYear()
    this.#fields.month = date.getUTCMonth() + 1
    this.#fields.day = date.getUTCDate()
  }

  /** Reads a run of digits, whose length determines its parts. */
  #digits([, sign, d = '', clock, fraction, zone]: RegExpExecArray): void {
    const f = this.#fields
    const part = (from: number, to: number): number => Number(d.slice(from, to))
    if (d.length === 2) f.day = part(0, 2)
    else if (d.length === 3) f.yearDay = part(0, 3)
    else if (d.length === 4) [f.month, f.day] = [part(0, 2), part(2, 4)]
    else if (d.length === 5) {
      this.#setYear(`${sign}${d.slice(0, 2)}`, false)
      f.yearDay = part(2, 5)
    } else if (d.length === 6) {
      this.#setYear(`${sign}${d.slice(0, 2)}`, false)
      ;[f.month, f.day] = [part(2, 4), part(4, 6)]
    } else if (d.length === 7) {
      this.#setYear(`${sign}${d.slice(0, 4)}`, false)
      f.yearDay = part(4, 7)
    } else if (d.length % 2 === 0) {
      this.#setYear(`${sign}${d.slice(0, 4)}`, false)
      ;[f.month, f.day] = [part(4, 6), part(6, 8)]
      if (d.length >= 10) f.hour = part(8, 10)
      if (d.length >= 12) f.minute = part(10, 12)
      if (d.length >= 14) f.second = part(12, 14)
    }
    if (clock !== undefined) {
      f.hour = Number(clock.slice(0, 2))
      if (clock.length >= 4) f.minute = Number(clock.slice(2, 4))
      if (clock.length >= 6) f.second = Number(clock.slice(4, 6))
    }
    if (fraction !== undefined) f.nanos = parseNanos(fraction)
    if (zone !== undefined) f.offset = zoneOffset(zone)
  }

  /** Reads the remaining text, which may be a day or an hour alone. */
  #fragment(): void {
    const numberMatch = /^\s*(\d{1,2})\s*$/.exec(this.#text)
    if (numberMatch === null) return
    const n = Number(numberMatch[1])
    const f = this.#fields
    if (f.hour !== null && f.day === null && n >= 1 && n <= 31) f.day = n
    if (f.day !== null && f.hour === null && n >= 0 && n <= 24) f.hour = n
  }
}

function monthNumber(name: string): number {
  return MONTH_NAMES.indexOf(name.slice(0, 3).toLowerCase()) + 1
}

function parseNanos(digits: string): number {
  return Number(digits.slice(0, 9).padEnd(9, '0'))
}

const ZONES: ReadonlyMap<string, number> = new Map([
  ['est', -5],
  ['edt', -4],
  ['cst', -6],
  ['cdt', -5],
  ['mst', -7],
  ['mdt', -6],
  ['pst', -8],
  ['pdt', -7],
  ['bst', 1],
  ['cet', 1],
  ['cest', 2],
  ['eet', 2],
  ['eest', 3],
  ['msk', 3],
  ['ist', 5.5],
  ['jst', 9],
  ['wet', 0],
  ['west', 1],
])

/** Returns the offset of a time zone. Null for an unknown zone, which is then ignored. */
function zoneOffset(text: string): number | 'UTC' | null {
  const zone = text.trim().toLowerCase()
  if (/^(?:z|utc?|gmt|[-+]00:?00)$/.test(zone)) return zone.startsWith('+') ? 0 : 'UTC'
  const signed = /^(?:gmt|utc?)?([-+])(\d+)(?:[,.:](\d+)(?::(\d+))?)?$/.exec(zone)
  if (signed === null) {
    const hours = ZONES.get(zone.split(' ', 1)[0] ?? '')
    return hours === undefined ? null : hours * 3600
  }
  const digits = signed[2] ?? ''
  const sign = signed[1] === '-' ? -1 : 1
  const wide = digits.length > 2
  const hours = Number(wide ? digits.slice(0, digits.length - 2) : digits)
  const minutes = Number(wide ? digits.slice(-2) : (signed[3] ?? 0))
  return hours > 23 || minutes > 59 ? null : sign * (hours * 3600 + minutes * 60 + Number(signed[4] ?? 0))
}
