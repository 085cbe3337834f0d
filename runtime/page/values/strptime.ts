/** Parses a time by a format, the inverse of `strftime`. */
import { inZone, type Moment, momentIn, momentNow, type TimeSource, wallSeconds } from './time.ts'

interface ParsedTime {
  year: number | null
  month: number
  day: number
  yearDay: number | null
  hour: number
  minute: number
  second: number
  nanos: number
  afternoon: boolean | null
  offset: number | null
  epoch: number | null
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const NAME = '[a-z]{3,9}'

interface DirectivePattern {
  readonly pattern: string
  readonly store: (parts: ParsedTime, text: string) => void
}

const digits = (maxDigits: number, store: (parts: ParsedTime, n: number) => void): DirectivePattern => ({
  pattern: `\\s*[-+]?\\d{1,${maxDigits}}`,
  store: (parts, text) => store(parts, Number(text)),
})

const month: DirectivePattern = {
  pattern: NAME,
  store: (parts, text) => {
    parts.month = MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1
  },
}

const ignoredName: DirectivePattern = { pattern: NAME, store: () => {} }

const day = digits(2, (parts, n) => {
  parts.day = n
})
const hour = digits(2, (parts, n) => {
  parts.hour = n
})

const half: DirectivePattern = {
  pattern: '[ap]\\.?m\\.?',
  store: (parts, text) => {
    parts.afternoon = /^p/i.test(text)
  },
}

const fraction: DirectivePattern = {
  pattern: '\\d{1,9}',
  store: (parts, text) => {
    parts.nanos = Number(text.padEnd(9, '0'))
  },
}

const FIELDS: ReadonlyMap<string, DirectivePattern> = new Map([
  [
    'Y',
    digits(4, (parts, n) => {
      parts.year = n
    }),
  ],
  [
    'y',
    digits(2, (parts, n) => {
      parts.year = n + (n >= 69 ? 1900 : 2000)
    }),
  ],
  [
    'm',
    digits(2, (parts, n) => {
      parts.month = n
    }),
  ],
  ['B', month],
  ['b', month],
  ['h', month],
  ['d', day],
  ['e', day],
  [
    'j',
    digits(3, (parts, n) => {
      parts.yearDay = n
    }),
  ],
  ['H', hour],
  ['k', hour],
  ['I', hour],
  ['l', hour],
  [
    'M',
    digits(2, (parts, n) => {
      parts.minute = n
    }),
  ],
  [
    'S',
    digits(2, (parts, n) => {
      parts.second = n
    }),
  ],
  ['L', fraction],
  ['N', fraction],
  ['p', half],
  ['P', half],
  ['A', ignoredName],
  ['a', ignoredName],
  [
    's',
    digits(13, (parts, n) => {
      parts.epoch = n
    }),
  ],
  [
    'z',
    {
      pattern: 'z|utc|gmt|[-+]\\d\\d:?\\d\\d',
      store: (parts, text) => {
        const offsetMatch = /^([-+])(\d\d):?(\d\d)$/.exec(text)
        parts.offset =
          offsetMatch === null
            ? 0
            : (offsetMatch[1] === '-' ? -1 : 1) * (Number(offsetMatch[2]) * 3600 + Number(offsetMatch[3]) * 60)
      },
    },
  ],
])

const SHORTHANDS: ReadonlyMap<string, string> = new Map([
  ['F', '%Y-%m-%d'],
  ['T', '%H:%M:%S'],
  ['X', '%H:%M:%S'],
  ['R', '%H:%M'],
  ['D', '%m/%d/%y'],
  ['x', '%m/%d/%y'],
  ['r', '%I:%M:%S %p'],
])

/**
 * Parses `text` by `format`, in a zone; null when it does not match. Parts that the format lacks have their lowest
 * value, except the year, which is the current one.
 */
export function strptime(text: string, format: string, source: TimeSource, timeZone: string): Moment | null {
  if (text.length > 200 || format.length > 200) return null
  const fields: DirectivePattern[] = []
  const long = format.replace(/%([FTXRDxr])/g, (_, letter: string) => SHORTHANDS.get(letter) ?? '')
  const pattern = long.replace(
    /%[-0^#_:]*([A-Za-z%])|\s+|[\\^$.*+?()[\]{}|]/g,
    (matched, letter: string | undefined) => {
      if (letter === '%') return '%'
      if (letter === undefined) return /\s/.test(matched) ? '\\s*' : `\\${matched}`
      const field = FIELDS.get(letter)
      if (field === undefined) return '(?!)'
      fields.push(field)
      return `(${field.pattern})`
    },
  )
  // The number of fields is limited. Otherwise the pattern could try too many ways to divide digits among adjacent fields.
  if (fields.length > 12) return null
  const formatMatch = new RegExp(`^\\s*${pattern}\\s*$`, 'i').exec(text)
  if (formatMatch === null) return null
  const parts: ParsedTime = {
    year: null,
    month: 1,
    day: 1,
    yearDay: null,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
    afternoon: null,
    offset: null,
    epoch: null,
  }
  fields.forEach((field, index) => {
    field.store(parts, (formatMatch[index + 1] ?? '').trim())
  })
  return toMoment(parts, source, timeZone)
}

function toMoment(parts: ParsedTime, source: TimeSource, timeZone: string): Moment | null {
  if (parts.epoch !== null) return parts.epoch > 8.64e12 ? null : momentIn(parts.epoch, parts.nanos, timeZone)
  const { month, minute, second } = parts
  const hour = parts.afternoon === null ? parts.hour : (parts.hour % 12) + (parts.afternoon ? 12 : 0)
  if (month < 1 || month > 12 || parts.day < 1 || parts.day > 31 || hour > 24 || minute > 59 || second > 60) return null
  const now = momentNow(source)
  const year = parts.year ?? new Date((now.$seconds + now.$offset) * 1000).getUTCFullYear()
  const midnight = parts.yearDay === null ? wallSeconds(year, month, parts.day) : wallSeconds(year, 1, parts.yearDay)
  const wall = midnight + hour * 3600 + minute * 60 + second
  if (parts.offset !== null) return momentIn(wall - parts.offset, parts.nanos, timeZone)
  return inZone(wall, parts.nanos, timeZone)
}
