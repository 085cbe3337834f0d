/**
 * Finds translations by locale and dotted key, under `modules/<name>` for keys of a module, with English as the
 * fallback.
 */
import type { CompiledSite } from '../../site.ts'
import { isHash } from '../../values/access.ts'
import { Safe, str } from '../../values/text.ts'
import type { Render } from '../types.ts'
import { pathOf, translationCache, translationsOf } from './overlay.ts'

/** The locale that missing translations are looked up in. */
export const FALLBACK = 'en'

/** A translation that was found. */
export interface FoundTranslation {
  readonly value: unknown
  /** The text as safe HTML, when it contains no placeholders. */
  readonly ready: Safe | null
}

// Only existing keys are cached, so the site limits the size.
const cache = translationCache<Map<string, Map<string, FoundTranslation>>>()

/** The translation of a key in a locale; null when there is none. */
export function lookup(site: CompiledSite, locale: string, key: string): FoundTranslation | null {
  const known = cache.get(site)?.get(locale)?.get(key)
  return known === undefined ? search(site, locale, key) : known
}

function search(site: CompiledSite, locale: string, key: string): FoundTranslation | null {
  const trees = translationsOf(site)
  const tree = Object.hasOwn(trees, locale) ? trees[locale] : undefined
  if (tree === undefined) return null
  const value = walk(tree, key)
  if (value === null || value === undefined) return null
  const found: FoundTranslation = {
    value,
    ready: typeof value === 'string' && !value.includes('%') ? new Safe(value) : null,
  }
  remember(site, locale, key, found)
  return found
}

function remember(site: CompiledSite, locale: string, key: string, found: FoundTranslation): void {
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
  keys.set(key, found)
}

function walk(tree: Readonly<Record<string, unknown>>, key: string): unknown {
  let node: unknown = tree
  for (const part of pathOf(key)) {
    if (!isHash(node) || !Object.hasOwn(node, part)) return null
    node = node[part]
  }
  return node
}

/** The locale of the request. */
export function localeOf(r: Render): string {
  const language = r.context.language
  return typeof language === 'string' && language !== '' ? language : FALLBACK
}

/** A setting of a locale (`date.formats.short`), English when it lacks it; null when neither has it. */
export function setting(site: CompiledSite, locale: string, key: string): unknown {
  return (lookup(site, locale, key) ?? lookup(site, FALLBACK, key))?.value ?? null
}

/** A setting that is a text, or else a default. */
export function textSetting(site: CompiledSite, locale: string, key: string, otherwise: string): string {
  const value = setting(site, locale, key)
  return value === null || typeof value === 'object' ? otherwise : str(value)
}
