import { describe, expect, it } from 'vitest'
import { parseNaturalTime } from '../../../../runtime/page/values/natural-time.ts'
import { type CalendarNames, ENGLISH, strftime, strftimeSeconds } from '../../../../runtime/page/values/strftime.ts'
import { strptime } from '../../../../runtime/page/values/strptime.ts'
import { str } from '../../../../runtime/page/values/text.ts'
import {
  MAX_SECONDS,
  Moment,
  momentIn,
  parseDate,
  type TimeSource,
  wallSeconds,
} from '../../../../runtime/page/values/time.ts'

const clock: TimeSource = { now: () => Date.parse('2024-02-05T15:21:00.250Z'), timeZone: 'UTC' }
const warsaw: TimeSource = { ...clock, timeZone: 'Europe/Warsaw' }

const dayOf = (year: number, month: number, day: number): Moment =>
  new Moment('date', wallSeconds(year, month, day), 0, 0, 'UTC')

const formatDate = (v: unknown, format: string, source = clock): string | null => {
  const moment = parseDate(v, source)
  return moment === null ? null : strftime(moment, format)
}

describe('reading a date', () => {
  it.each([
    [1707116889, '2024-02-05 07:08:09 +0000'],
    ['1707116889', '2024-02-05 07:08:09 +0000'],
    ['2024', '1970-01-01 00:33:44 +0000'],
    [-1, '1969-12-31 23:59:59 +0000'],
    ['now', '2024-02-05 15:21:00 +0000'],
    ['TODAY', '2024-02-05 15:21:00 +0000'],
    ['2024-02-05', '2024-02-05 00:00:00 +0000'],
    ['2024-02-05T07:08:09Z', '2024-02-05 07:08:09 +0000'],
    ['2024-02-05 07:08:09 +0530', '2024-02-05 07:08:09 +0530'],
    ['2024-02-05T07:08:09.123-03:00', '2024-02-05 07:08:09 -0300'],
    ['Mon, 05 Feb 2024 07:08:09 EST', '2024-02-05 07:08:09 -0500'],
    ['2024-02-30', '2024-03-01 00:00:00 +0000'],
    ['March 14, 2016', '2016-03-14 00:00:00 +0000'],
    ['14 March 2016 3pm', '2016-03-14 15:00:00 +0000'],
    ['5th May 1999', '1999-05-05 00:00:00 +0000'],
    ['5th of May 1999', '1999-05-01 00:00:00 +0000'],
    ['Feb 29', '2024-02-29 00:00:00 +0000'],
    ['July', '2024-07-01 00:00:00 +0000'],
    ['02/05/2024', '2024-05-02 00:00:00 +0000'],
    ['2/5', '2024-02-05 00:00:00 +0000'],
    ['2021/2', '2021-02-01 00:00:00 +0000'],
    ['1.2.2023', '2023-02-01 00:00:00 +0000'],
    ['20240205T070809', '2024-02-05 07:08:09 +0000'],
    ['2024-W06-1', '2024-02-05 00:00:00 +0000'],
    ['2024-036', '2024-02-05 00:00:00 +0000'],
    ['10:30', '2024-02-05 10:30:00 +0000'],
    ['10:30pm', '2024-02-05 22:30:00 +0000'],
    ["14 Mar '16", '2016-03-14 00:00:00 +0000'],
    ['2024-02-05 24:00', '2024-02-06 00:00:00 +0000'],
  ])('%s is %s', (from, text) => {
    expect(formatDate(from, '%F %T %z')).toBe(text)
  })

  it.each([
    ['hello'],
    [''],
    ['monday'],
    [null],
    [true],
    [1.5],
    [[]],
    [{}],
    ['2024-13-01'],
    ['2024-02-05 25:00'],
    ['x'.repeat(500)],
    [1e15],
  ])('%s is none', (from) => {
    expect(parseDate(from, clock)).toBeNull()
  })

  it('times without a zone are in the zone of the site', () => {
    expect(formatDate('2024-02-05 07:08', '%F %T %z %Z', warsaw)).toBe('2024-02-05 07:08:00 +0100 ')
    expect(formatDate('2024-07-05 07:08', '%F %T %z', warsaw)).toBe('2024-07-05 07:08:00 +0200')
    expect(formatDate(1707116889, '%H:%M', warsaw)).toBe('08:08')
    expect(formatDate('2024-03-31 02:30', '%H:%M %z', warsaw)).toBe('03:30 +0200')
    expect(formatDate('2024-02-05 07:08 +0300', '%H:%M %z', warsaw)).toBe('07:08 +0300')
  })
})

describe('strftime', () => {
  const iso = parseDate('2024-02-05T07:08:09.0625Z', clock)!

  it.each([
    ['%a %A %b %B %h %d %e %-d %j %-j %m %-m %y %Y %C', 'Mon Monday Feb February Feb 05  5 5 036 36 02 2 24 2024 20'],
    ['%H %k %I %l %-I %M %S %L %3N %6N %N %p %P', '07  7 07  7 7 08 09 062 062 062500 062500000 AM am'],
    ['%s %u %w %U %W %V %G %g', '1707116889 1 1 05 06 06 2024 24'],
    [
      '%c|%x|%X|%D|%r|%R|%T|%F|%v',
      'Mon Feb  5 07:08:09 2024|02/05/24|07:08:09|02/05/24|07:08:09 AM|07:08|07:08:09|2024-02-05| 5-FEB-2024',
    ],
    [
      '%^a %^B %#p %010Y %_m %5d %% %z %:z %::z %Z %Q',
      'MON FEBRUARY am 0000002024  2 00005 % +0000 +00:00 +00:00:00 UTC %Q',
    ],
    [
      '%10A|%-H:%M|%012B|%^10b|%8F|%+',
      '    Monday|7:08|0000February|       FEB|2024-02-05|Mon Feb  5 07:08:09 UTC 2024',
    ],
    ['%n%t|100%|%', '\n\t|100%|%'],
    ['%99999d', '%99999d'],
    ['no directive', 'no directive'],
  ])('%s', (format, text) => {
    expect(strftime(iso, format)).toBe(text)
  })

  it('weeks at the turn of a year', () => {
    const new2021 = dayOf(2021, 1, 1)
    expect(strftime(new2021, '%G-W%V-%u %U %W %j')).toBe('2020-W53-5 00 00 001')
    expect(strftime(dayOf(2024, 12, 31), '%G-W%V %U %W %j')).toBe('2025-W01 52 53 366')
  })

  it('offsets', () => {
    const off = parseDate('2024-02-05 07:08:09 -0530', clock)!
    expect(strftime(off, '%z|%:z|%::z|%:::z|%Z|%s')).toBe('-0530|-05:30|-05:30:00|-05:30||1707136689')
  })
})

describe('the caches of strftime', () => {
  const two = (n: number): string => `${n}`.padStart(2, '0')
  // A second implementation of some directives, based on `Date`.
  const expected: Readonly<Record<string, (d: Date, names: CalendarNames) => string>> = {
    Y: (d) => (d.getUTCFullYear() < 0 ? '-' : '') + `${Math.abs(d.getUTCFullYear())}`.padStart(4, '0'),
    m: (d) => two(d.getUTCMonth() + 1),
    d: (d) => two(d.getUTCDate()),
    B: (d, names) => names.months[d.getUTCMonth()]!,
    b: (d, names) => names.shortMonths[d.getUTCMonth()]!,
    A: (d, names) => names.days[d.getUTCDay()]!,
    H: (d) => two(d.getUTCHours()),
    I: (d) => two(d.getUTCHours() % 12 || 12),
    M: (d) => two(d.getUTCMinutes()),
    S: (d) => two(d.getUTCSeconds()),
    p: (d) => (d.getUTCHours() < 12 ? 'AM' : 'PM'),
  }
  const formats = [
    '%Y-%m-%d',
    '%d %B %Y',
    '%H:%M',
    'at %I:%M %p',
    '%A, %d %b',
    '%Y-%m-%d %H:%M',
    '%H:%M on %d.%m.%Y at %H',
    '%Y-%m-%dT%H:%M:%S',
    '%S',
    '[%M] %B',
    'no directive',
  ]
  const wallText = (seconds: number, format: string, names: CalendarNames): string =>
    format.replace(/%(\w)/g, (_, letter: string) => expected[letter]!(new Date(seconds * 1000), names))
  const numbered = (mark: string): CalendarNames => ({
    months: ENGLISH.months.map((name) => name + mark),
    shortMonths: ENGLISH.shortMonths.map((name) => name + mark),
    days: ENGLISH.days.map((name) => name + mark),
    shortDays: ENGLISH.shortDays.map((name) => name + mark),
  })

  // A deterministic generator, so that each run tests the same moments.
  function* moments(count: number): Generator<number> {
    const edges = [0, -1, 59, 60, 86_399, 86_400, -86_400, -86_401, MAX_SECONDS, -MAX_SECONDS]
    yield* [...edges, Date.UTC(10_000, 0, 1) / 1000, Date.UTC(1000, 0, 1) / 1000 - 1, Date.UTC(-1, 5, 1) / 1000]
    let state = 20_240_205
    for (let made = 0; made < count; made++) {
      state = (state * 48_271) % 2_147_483_647
      const near = 1_700_000_000 + (state % 400_000)
      yield made % 2 === 0 ? near : (state - 1_073_741_824) * (made % 3 === 0 ? 4000 : 2)
    }
  }

  it('print each moment correctly, in any order of moments', () => {
    for (const seconds of moments(3000)) {
      for (const format of formats) {
        const text = wallText(seconds, format, ENGLISH)
        expect(strftimeSeconds(seconds, format, 'UTC'), `${format} of ${seconds}`).toBe(text)
        expect(strftime(momentIn(seconds, 999_999_999, 'UTC'), format), `${format} of ${seconds}`).toBe(text)
      }
    }
  })

  it('belong to one set of names', () => {
    const sets = [ENGLISH, numbered('1'), numbered('2'), ENGLISH, numbered('3')]
    for (const seconds of moments(100)) {
      for (const names of sets) {
        for (const format of formats)
          expect(strftime(momentIn(seconds, 0, 'UTC'), format, names)).toBe(wallText(seconds, format, names))
      }
    }
  })

  it('use the wall-clock time of the zone', () => {
    const zones = [
      'Europe/Warsaw',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'America/St_Johns',
      'UTC',
    ]
    // The clock changes of the first two zones in 2024.
    const changes = ['2024-03-31T01:00Z', '2024-10-27T01:00Z', '2024-03-10T07:00Z', '2024-11-03T06:00Z']
    const around = changes.flatMap((text) => {
      const change = Date.parse(text) / 1000
      return [change - 86_400, change - 3600, change - 1, change, change + 1, change + 3600, change + 86_400]
    })
    for (const timeZone of zones) {
      const wall = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
      for (const seconds of [...around, ...around, 0, 1_720_000_000, 946_684_800]) {
        const text = wall.format(seconds * 1000)
        expect(strftimeSeconds(seconds, '%Y-%m-%d', timeZone), `${seconds} in ${timeZone}`).toBe(text.slice(0, 10))
        expect(strftimeSeconds(seconds, '%H:%M', timeZone), `${seconds} in ${timeZone}`).toBe(text.slice(11, 16))
        expect(strftimeSeconds(seconds, '%F %T', timeZone), `${seconds} in ${timeZone}`).toBe(text)
      }
    }
  })

  it('do not hold offsets and abbreviations', () => {
    const shownAt = (text: string, timeZone: string): string =>
      strftimeSeconds(Date.parse(text) / 1000, '%H:%M %z %Z %s', timeZone)
    expect(shownAt('2024-11-03T05:59:59Z', 'America/New_York')).toBe('01:59 -0400 EDT 1730613599')
    expect(shownAt('2024-11-03T06:00:00Z', 'America/New_York')).toBe('01:00 -0500 EST 1730613600')
    expect(shownAt('2024-11-03T06:00:00Z', 'UTC')).toBe('06:00 +0000 UTC 1730613600')
    expect(shownAt('2024-11-03T06:00:00Z', '-03:30')).toBe('02:30 -0330  1730613600')
    expect(strftime(new Moment('time', 1_730_613_600, 0, 3600, ''), '%H:%M %z %Z')).toBe('07:00 +0100 ')
  })

  it('print the right text for more days than the cache holds', () => {
    for (const round of [0, 1]) {
      for (let day = 0; day < 25_000; day++) {
        const seconds = day * 86_400 + round
        if (strftimeSeconds(seconds, '%F', 'UTC') !== new Date(seconds * 1000).toISOString().slice(0, 10))
          expect.fail(`day ${day}`)
      }
    }
  })
})

describe('natural times', () => {
  it.each([
    ['now', '2024-02-05 15:21:00 UTC'],
    ['today', '2024-02-05 15:21:00 UTC'],
    ['tomorrow', '2024-02-06 12:00:00 UTC'],
    ['yesterday at 5pm', '2024-02-04 17:00:00 UTC'],
    ['3 days ago', '2024-02-02 15:21:00 UTC'],
    ['in 10 minutes', '2024-02-05 15:31:00 UTC'],
    ['5 days from now', '2024-02-10 15:21:00 UTC'],
    ['one month ago', '2024-01-05 15:21:00 UTC'],
    ['next week', '2024-02-12 15:21:00 UTC'],
    ['friday', '2024-02-09 12:00:00 UTC'],
    ['monday', '2024-02-12 12:00:00 UTC'],
    ['last monday', '2024-01-29 12:00:00 UTC'],
    ['2019-10-01', '2019-10-01 12:00:00 UTC'],
    ['12/05/2012', '2012-12-05 12:00:00 UTC'],
    ['2018-05-30T09:12:34.000-07:00', '2018-05-30 16:12:34 UTC'],
    ['2010-01-01 8:00:00', '2010-01-01 08:00:00 UTC'],
    ['0', '1970-01-01 00:00:00 UTC'],
  ])('%s is %s', (text, result) => {
    expect(str(parseNaturalTime(text, clock, 'UTC'))).toBe(result)
  })

  it('are shown in a zone', () => {
    expect(str(parseNaturalTime('2018-05-30T09:12:34-07:00', clock, 'Europe/Warsaw'))).toBe('2018-05-30 18:12:34 +0200')
    expect(str(parseNaturalTime('2018-05-30 09:12', clock, '-07:00'))).toBe('2018-05-30 09:12:00 -0700')
    expect(parseNaturalTime('zzz', clock, 'UTC')).toBeNull()
  })
})

describe('reading by a format', () => {
  it('is the reverse of strftime', () => {
    expect(str(strptime('2010:01:02', '%Y:%m:%d', clock, 'UTC'))).toBe('2010-01-02 00:00:00 UTC')
    expect(str(strptime('Feb 5, 2024 3:04 PM +0100', '%b %d, %Y %I:%M %p %z', clock, 'UTC'))).toBe(
      '2024-02-05 14:04:00 UTC',
    )
    expect(strptime('2010', '%Y-%m', clock, 'UTC')).toBeNull()
    expect(strptime('a'.repeat(199), '%d'.repeat(99), clock, 'UTC')).toBeNull()
  })
})
