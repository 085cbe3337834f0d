/** Translates a key: options, plurals and placeholders `%{name}`. */
import { type Fields, isHash } from '../../values/access.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import { isNumber, toNumeral, toNumber } from '../../values/number.ts'
import { plain, Safe, str } from '../../values/text.ts'
import { isBlank } from '../../values/truth.ts'
import { getOption } from '../arguments.ts'
import type { Render } from '../types.ts'
import { FALLBACK_LOCALE, type FoundTranslation, localeOf, lookup } from './lookup.ts'

/** The value of a translation in its file, with texts as safe HTML, or the plain text that says that it is missing. */
export type Translation = string | Safe | number | bigint | boolean | null | readonly unknown[] | Fields

/** Named arguments of a translation, of which none is a default that may have any type. */
export type WithoutDefault = { readonly default?: never; readonly [name: string]: unknown } | null

/**
 * Returns the translation of a key: safe text, or the request's own copy of a list or map. `fill` converts arguments
 * to text. A missing translation is plain text, because the key may be input.
 * @throws LimitFault for a text that grows too long
 */
export function translate(r: Render, key: unknown, options: unknown, fill: (value: unknown) => string): unknown {
  if (options === null || options === undefined) {
    const translation = lookup(r.site, localeOf(r), str(key))
    if (translation !== null && translation.ready !== null) return translation.ready
  }
  const option = getOption(options, 'locale')
  const locale = option === null ? localeOf(r) : str(option)
  const scope = getOption(options, 'scope')
  const full = scope === null || str(scope) === '' ? str(key) : `${str(scope)}.${str(key)}`
  const translation = lookup(r.site, locale, full)
  if (translation !== null) return toResult(r, translation, locale, options, fill)
  const fallbackTranslation = getOption(options, 'fallback') === false ? null : lookup(r.site, FALLBACK_LOCALE, full)
  if (fallbackTranslation !== null) return toResult(r, fallbackTranslation, FALLBACK_LOCALE, options, fill)
  const defaultText = getOption(options, 'default')
  if (defaultText === null) return `translation missing: ${locale}.${full}`
  return typeof defaultText === 'string' && isHash(options)
    ? fillPlaceholders(defaultText, options, plain)
    : defaultText
}

function toResult(
  r: Render,
  translation: FoundTranslation,
  locale: string,
  options: unknown,
  fill: (value: unknown) => string,
): unknown {
  if (translation.ready !== null) return translation.ready
  const count = getOption(options, 'count')
  const value =
    count !== null && isHash(translation.value) ? selectPlural(translation.value, locale, count) : translation.value
  if (typeof value !== 'string') return r.copyOf(value)
  return new Safe(isHash(options) ? fillPlaceholders(value, options, fill) : value)
}

/** Returns the plural form for a number; the whole map when it has no such form. */
function selectPlural(forms: Record<string, unknown>, locale: string, count: unknown): unknown {
  const form = (name: string): unknown => (Object.hasOwn(forms, name) ? (forms[name] ?? null) : null)
  const n = isNumber(count) || !isBlank(count) ? toNumber(toNumeral(count)) : 0
  const zero = n === 0 ? form('zero') : null
  // A language without the category `one` still uses a translation's form for one.
  const single = n === 1 && !pluralRules(locale).resolvedOptions().pluralCategories.includes('one') ? form('one') : null
  return zero ?? single ?? form(pluralRules(locale).select(n)) ?? form('other') ?? form('one') ?? forms
}

/** Maximum number of cached locales, because visitors may name any number of locales. */
const MAX_CACHED = 100
const cache = new Map<string, Intl.PluralRules>()

function pluralRules(locale: string): Intl.PluralRules {
  let rules = cache.get(locale)
  if (rules === undefined) {
    rules = new Intl.PluralRules(pluralLanguage(locale))
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(locale, rules)
  }
  return rules
}

/** Returns the language for plural rules. Unknown and invalid locales get English. */
function pluralLanguage(locale: string): string {
  const tag = locale.replaceAll('_', '-')
  try {
    return Intl.PluralRules.supportedLocalesOf([tag]).length > 0 ? tag : FALLBACK_LOCALE
  } catch {
    return FALLBACK_LOCALE
  }
}

/** Fills the placeholders `%{name}`. `%%{name}` becomes a literal `%{name}`. */
export function fillPlaceholders(
  text: string,
  options: Record<string, unknown>,
  fill: (value: unknown) => string,
): string {
  return checkTextLength(
    text.replace(/%?%\{([^{}]*)\}/g, (match, name: string) => {
      if (match.startsWith('%%')) return match.slice(1)
      return Object.hasOwn(options, name) ? fill(options[name]) : match
    }),
  )
}
