/**
 * Finds translations by locale and dotted key, with English as the fallback. Keys of a module are below
 * `modules/<name>`.
 */
import type { CompiledSite } from '../../site.ts'
import { isHash } from '../../values/access.ts'
import { Safe, str } from '../../values/text.ts'
import type { Render } from '../types.ts'
import { splitKey, translationCache, translationsOf } from './overrides.ts'

/** The fallback locale for missing translations. */
export const FALLBACK_LOCALE = 'en'

/** The result of a look-up. */
export interface FoundTranslation {
  readonly value: unknown
  /** The text as safe HTML; null when the text contains placeholders. */
  readonly ready: Safe | null
}

// Only existing keys are cached, so the translations of the site limit the size of the cache.
const cache = translationCache<Map<string, Map<string, FoundTranslation>>>()

/** Returns the translation of a key in a locale; null when there is none. */
export function lookup(site: CompiledSite, locale: string, key: string): FoundTranslation | null {
  const cachedTranslation = cache.get(site)?.get(locale)?.get(key)
  return cachedTranslation === undefined ? search(site, locale, key) : cachedTranslation
}

function search(site: CompiledSite, locale: string, key: string): FoundTranslation | null {
  const trees = translationsOf(site)
  const tree = Object.hasOwn(trees, locale) ? trees[locale] : undefined
  if (tree === undefined) return null
  const value = readPath(tree, key)
  if (value === null || value === undefined) return null
  const translation: FoundTranslation = {
    value,
    ready: typeof value === 'string' && !value.includes('%') ? new Safe(value) : null,
  }
  cacheTranslation(site, locale, key, translation)
  return translation
}

function cacheTranslation(site: CompiledSite, locale: string, key: string, translation: FoundTranslation): void {
  let locales = cache.get(site)
  if (locales === undefined) {
    locales = new Map()
    cache.set(site, locales)
  }
  let keys = locales.get(locale)
  if (keys === undefined) {
    keys = new Map()
    locales.set(locale, keys)
  }
  keys.set(key, translation)
}

function readPath(tree: unknown, key: string): unknown {
  let node: unknown = tree
  for (const part of splitKey(key)) {
    if (!isHash(node) || !Object.hasOwn(node, part)) return null
    node = node[part]
  }
  return node
}

/** Returns the locale of the request. */
export function localeOf(r: Render): string {
  const language = r.context.language
  return typeof language === 'string' && language !== '' ? language : FALLBACK_LOCALE
}

/** Returns a setting of a locale (`date.formats.short`), or otherwise the English setting. Null when neither exists. */
export function findSetting(site: CompiledSite, locale: string, key: string): unknown {
  return (lookup(site, locale, key) ?? lookup(site, FALLBACK_LOCALE, key))?.value ?? null
}

/** Returns a setting that is a text, or otherwise a default. */
export function findTextSetting(site: CompiledSite, locale: string, key: string, defaultText: string): string {
  const value = findSetting(site, locale, key)
  return value === null || typeof value === 'object' ? defaultText : str(value)
}
