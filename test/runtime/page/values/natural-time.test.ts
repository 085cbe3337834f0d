/** Times in words, formats and zones, as in Ruby and its library for natural dates. */
import { describe, expect, it } from 'vitest'
import { parseNaturalTime } from '../../../../runtime/page/values/natural-time.ts'
import { strftime } from '../../../../runtime/page/values/strftime.ts'
import { Moment, momentIn, type TimeSource } from '../../../../runtime/page/values/time.ts'
import { toIanaName, findOffset } from '../../../../runtime/page/values/zone.ts'

/** The fixed current time is a Wednesday. */
const clock: TimeSource = { now: () => Date.parse('2006-08-16T14:00:00Z'), timeZone: 'UTC' }

const read = (text: string, zone = 'UTC'): string | null => {
  const moment = parseNaturalTime(text, clock, zone)
  return moment === null ? null : strftime(moment, '%F %T')
}

describe('a time in words', () => {
  it.each([
    ['now', '2006-08-16 14:00:00'],
    ['today', '2006-08-16 14:00:00'],
    ['tomorrow', '2006-08-17 12:00:00'],
    ['Tomorrow  at 5PM', '2006-08-17 17:00:00'],
    ['tomorrow at noon', '2006-08-17 12:00:00'],
    ['yesterday at 4:00', '2006-08-15 04:00:00'],
    ['next friday', '2006-08-18 12:00:00'],
    ['friday 13:00', '2006-08-18 13:00:00'],
    ['last friday at 20:00', '2006-08-11 20:00:00'],
    ['wednesday', '2006-08-23 12:00:00'],
    ['tues', '2006-08-22 12:00:00'],
    ['thurs 9am', '2006-08-17 09:00:00'],
    ['next week', '2006-08-23 14:00:00'],
    ['next month', '2006-09-16 14:00:00'],
    ['last year', '2005-08-16 14:00:00'],
    ['last november', '2005-11-01 12:00:00'],
    ['next november', '2006-11-01 12:00:00'],
    ['last may', '2006-05-01 12:00:00'],
    ['next august', '2007-08-01 12:00:00'],
    ['3 days ago', '2006-08-13 14:00:00'],
    ['a week ago', '2006-08-09 14:00:00'],
    ['an hour ago', '2006-08-16 13:00:00'],
    ['half an hour ago', '2006-08-16 13:30:00'],
    ['a couple of days ago', '2006-08-14 14:00:00'],
    ['1.5 hours ago', '2006-08-16 12:30:00'],
    ['2 hrs ago', '2006-08-16 12:00:00'],
    ['3 yrs ago', '2003-08-16 14:00:00'],
    ['in 10 minutes', '2006-08-16 14:10:00'],
    ['in an hour', '2006-08-16 15:00:00'],
    ['5 days from now', '2006-08-21 14:00:00'],
    ['2 months hence', '2006-10-16 14:00:00'],
    ['1 year and 2 months ago', '2005-06-16 14:00:00'],
    ['2 days, 3 hours ago', '2006-08-14 11:00:00'],
    ['in 1 hour 30 minutes', '2006-08-16 15:30:00'],
    ['day after tomorrow', '2006-08-18 12:00:00'],
    ['the day before yesterday', '2006-08-14 12:00:00'],
    ['3 days from tomorrow', '2006-08-20 12:00:00'],
    ['7 hours before tomorrow at noon', '2006-08-17 05:00:00'],
    ['2 weeks after 2020-01-01', '2020-01-15 12:00:00'],
    ['1 month before 2020-03-31', '2020-02-29 12:00:00'],
    ['noon', '2006-08-16 12:00:00'],
    ['midnight', '2006-08-16 00:00:00'],
    ['tonight', '2006-08-16 22:00:00'],
    ['this morning', '2006-08-16 09:00:00'],
    ['last night', '2006-08-15 22:00:00'],
    ['yesterday afternoon', '2006-08-15 15:00:00'],
    ['saturday evening', '2006-08-19 18:30:00'],
    ['6 in the morning', '2006-08-16 06:00:00'],
    ['friday 7 in the evening', '2006-08-18 19:00:00'],
    ['4pm', '2006-08-16 16:00:00'],
    ['may 27 at 5pm', '2006-05-27 17:00:00'],
    ['12/05/2012', '2012-12-05 12:00:00'],
    ['2010-01-01', '2010-01-01 12:00:00'],
    ['20200101', '2020-01-01 12:00:00'],
    ['1155686400', '2006-08-16 00:00:00'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it.each([
    '',
    ' ',
    'zzz',
    '1 decade ago',
    'three wonders from now',
    '99999999 years ago',
    '1.5 months ago',
    'tomorrow at 25:00',
    'a'.repeat(200),
    '__proto__ days ago',
    'constructor ago',
    `${'1 day after '.repeat(10)}zzz`,
  ])('none in %j', (text) => {
    expect(read(text)).toBeNull()
  })

  it('counts days by the clock on the wall of the zone', () => {
    const spring: TimeSource = { now: () => Date.parse('2024-03-30T12:00:00Z'), timeZone: 'UTC' }
    const at = (text: string) => {
      const moment = parseNaturalTime(text, spring, 'Europe/Warsaw')
      return moment === null ? null : strftime(moment, '%F %T %z')
    }
    expect(at('in 1 day')).toBe('2024-03-31 13:00:00 +0200')
    expect(at('in 24 hours')).toBe('2024-03-31 14:00:00 +0200')
    expect(at('tomorrow at 2:30')).toBe('2024-03-31 03:30:00 +0200')
  })
})

describe('strftime as in Ruby', () => {
  // The time 2007-11-09 02:03:05.123456789 -0500, a Friday.
  const moment = new Moment('time', 1194591785, 123456789, -18_000, 'EST')
  it.each([
    ['%Y %C %y', '2007 20 07'],
    ['%m %-m %_m %3m', '11 11 11 011'],
    ['%B %^B %b %^b %h %10B %-B', 'November NOVEMBER Nov NOV Nov   November November'],
    ['%d %-d %e %_d %05d', '09 9  9  9 00009'],
    ['%j %-j %_j', '313 313 313'],
    ['%H %k %I %l %-H %_H %0k', '02  2 02  2 2  2 02'],
    ['%P %p %#p %^P', 'am AM am AM'],
    ['%M %-M %S %_S', '03 3 05  5'],
    ['%L %N %3N %6N %9N %12N %1N', '123 123456789 123 123456 123456789 123456789000 1'],
    ['%z %:z %::z %:::z', '-0500 -05:00 -05:00:00 -05'],
    ['%10z %_10z %-z %-:z %10:z', '-000000500       -500 -500 -5:00 -000005:00'],
    ['%Z %#Z', 'EST est'],
    ['%A %^A %a %^a %#a %12A', 'Friday FRIDAY Fri FRI FRI       Friday'],
    ['%u %w', '5 5'],
    ['%G %g %V %U %W', '2007 07 45 44 45'],
    ['%s', '1194591785'],
    ['%n|%t|%%', '\n|\t|%'],
    ['%c', 'Fri Nov  9 02:03:05 2007'],
    ['%D %x %F %X %T %R', '11/09/07 11/09/07 2007-11-09 02:03:05 02:03:05 02:03'],
    ['%r', '02:03:05 AM'],
    ['%v', ' 9-NOV-2007'],
    ['%+', 'Fri Nov  9 02:03:05 EST 2007'],
    ['%^c', 'FRI NOV  9 02:03:05 2007'],
    ['%010Y %_8Y %-Y', '0000002007     2007 2007'],
    ['%Ey %Od %EY', '07 09 2007'],
    ['%Q %i %', '%Q %i %'],
    ['%-l:%M %P on %-d/%-m/%y', '2:03 am on 9/11/07'],
    ['100%%d', '100%d'],
    ['żółw %Y 🎉', 'żółw 2007 🎉'],
  ])('%s', (format, expected) => {
    expect(strftime(moment, format)).toBe(expected)
  })

  it('weeks around the turn of a year', () => {
    const week = (day: string) => strftime(momentIn(Date.parse(`${day}T00:00:00Z`) / 1000, 0, 'UTC'), '%G-W%V-%u %U %W')
    expect(week('2004-12-26')).toBe('2004-W52-7 52 51')
    expect(week('2004-12-31')).toBe('2004-W53-5 52 52')
    expect(week('2005-01-01')).toBe('2004-W53-6 00 00')
    expect(week('2005-01-03')).toBe('2005-W01-1 01 01')
    expect(week('2006-01-01')).toBe('2005-W52-7 01 00')
    expect(week('2008-12-29')).toBe('2009-W01-1 52 52')
    expect(week('2009-12-31')).toBe('2009-W53-4 52 52')
  })
})

describe('zones', () => {
  it('go by the names of Rails too, which all exist', async () => {
    const { RAILS_ZONES } = await import('../../../../runtime/page/values/rails-zones.ts')
    expect(RAILS_ZONES.size).toBeGreaterThanOrEqual(150)
    for (const [name, zone] of RAILS_ZONES) expect(() => findOffset(zone, 0), name).not.toThrow()
    expect(toIanaName('Eastern Time (US & Canada)')).toBe('America/New_York')
    expect(toIanaName("Nuku'alofa")).toBe('Pacific/Tongatapu')
    expect(toIanaName('Europe/Paris')).toBe('Europe/Paris')
    expect(toIanaName('constructor')).toBe('constructor')
  })

  it('know offsets and daylight saving', () => {
    const at = Date.parse('2024-07-01T00:00:00Z') / 1000
    expect(findOffset(toIanaName('Warsaw'), at)).toBe(7200)
    expect(findOffset(toIanaName('New Delhi'), at)).toBe(19_800)
    expect(findOffset(toIanaName('Newfoundland'), at)).toBe(-9000)
    expect(() => findOffset('Nowhere/City', 0)).toThrow('Invalid Timezone')
  })
})
