/** Formats and names of the calendar: from the site's translations, or else the built-in English ones. */
import type { CompiledSite } from '../../site.ts'
import { type CalendarNames, ENGLISH } from '../../values/strftime.ts'
import { str } from '../../values/text.ts'
import { setting, textSetting } from './lookup.ts'
import { translationCache, translationsOf } from './overlay.ts'

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

/** The named format; for an unknown name, a text that says it is missing. */
export function formatNamed(site: CompiledSite, locale: string, kind: 'date' | 'time', name: string): string {
  const builtIn = Object.hasOwn(FORMATS[kind], name) ? FORMATS[kind][name] : undefined
  const key = `${kind}.formats.${name}`
  return textSetting(site, locale, key, builtIn ?? `translation missing: ${locale}.${key}`)
}

const calendars = translationCache<Map<string, CalendarNames>>()

/** The names of months and days in a locale. */
export function calendar(site: CompiledSite, locale: string): CalendarNames {
  let locales = calendars.get(site)
  if (locales === undefined) {
    locales = new Map()
    calendars.set(site, locales)
  }
  // A locale without translations is not cached, because visitors may name any number of them.
  if (!Object.hasOwn(translationsOf(site), locale)) return ENGLISH
  let names = locales.get(locale)
  if (names === undefined) {
    names = {
      months: list(site, locale, ['months', 'month_names'], ENGLISH.months),
      shortMonths: list(site, locale, ['abbr_months', 'abbr_month_names'], ENGLISH.shortMonths),
      days: list(site, locale, ['days', 'day_names'], ENGLISH.days),
      shortDays: list(site, locale, ['abbr_days', 'abbr_day_names'], ENGLISH.shortDays),
    }
    locales.set(locale, names)
  }
  return names
}

function list(
  site: CompiledSite,
  locale: string,
  keys: readonly string[],
  otherwise: readonly string[],
): readonly string[] {
  for (const key of keys) {
    const value = setting(site, locale, `date.${key}`)
    // Rails lists months from index 1, with an empty item at 0.
    if (Array.isArray(value) && value.length >= otherwise.length) return value.slice(-otherwise.length).map(str)
  }
  return otherwise
}
