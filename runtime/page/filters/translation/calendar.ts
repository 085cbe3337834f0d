/** Formats and names of the calendar, from the site's translations or else in English. */
import type { CompiledSite } from '../../site.ts'
import { type CalendarNames, ENGLISH } from '../../values/strftime.ts'
import { str } from '../../values/text.ts'
import { findSetting, findTextSetting } from './lookup.ts'
import { translationCache, translationsOf } from './overrides.ts'

const FORMATS: Readonly<Record<'date' | 'time', Readonly<Record<string, string>>>> = {
  time: {
    short: '%-H:%M',
    long: '%a, %m/%d/%Y %H:%M',
    with_time_zone: '%m/%d/%Y %H:%M (%Z)',
    short_with_time_zone: '%-H:%M (%Z)',
    day_and_month: '%b %d',
    day_month_year: '%d-%m-%Y',
  },
  date: {
    short: '%m/%d/%Y',
    long: '%B %d, %Y',
    day_and_month: '%b %d',
    day_month_year: '%d-%m-%Y',
    stripe: '%m-%d-%Y',
  },
}

/** Returns the format with this name. For an unknown name, returns a text that says it is missing. */
export function findFormat(site: CompiledSite, locale: string, kind: 'date' | 'time', name: string): string {
  const builtIn = Object.hasOwn(FORMATS[kind], name) ? FORMATS[kind][name] : undefined
  const key = `${kind}.formats.${name}`
  return findTextSetting(site, locale, key, builtIn ?? `translation missing: ${locale}.${key}`)
}

const calendars = translationCache<Map<string, CalendarNames>>()

/** Returns the names of months and days in a locale. */
export function findCalendarNames(site: CompiledSite, locale: string): CalendarNames {
  let locales = calendars.get(site)
  if (locales === undefined) {
    locales = new Map()
    calendars.set(site, locales)
  }
  // A locale without translations is not cached, because visitors may name any number of locales.
  if (!Object.hasOwn(translationsOf(site), locale)) return ENGLISH
  let names = locales.get(locale)
  if (names === undefined) {
    names = {
      months: readNames(site, locale, ['months', 'month_names'], ENGLISH.months),
      shortMonths: readNames(site, locale, ['abbr_months', 'abbr_month_names'], ENGLISH.shortMonths),
      days: readNames(site, locale, ['days', 'day_names'], ENGLISH.days),
      shortDays: readNames(site, locale, ['abbr_days', 'abbr_day_names'], ENGLISH.shortDays),
    }
    locales.set(locale, names)
  }
  return names
}

function readNames(
  site: CompiledSite,
  locale: string,
  keys: readonly string[],
  defaultNames: readonly string[],
): readonly string[] {
  for (const key of keys) {
    const value = findSetting(site, locale, `date.${key}`)
    // Rails lists months from index 1, with an empty item at 0.
    if (Array.isArray(value) && value.length >= defaultNames.length) return value.slice(-defaultNames.length).map(str)
  }
  return defaultNames
}
