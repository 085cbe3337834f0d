/** Translations that are set while a site runs, laid over those that it was built with. */
import type { CompiledSite } from '../../site.ts'
import { copyHash, type HashValue, isHash, makeHash, setKey } from '../../values/hash.ts'

/** One text, list or number; null hides what the site has. */
export interface SetTranslation {
  readonly locale: string
  /** Dotted; `modules/<name>/…` of a module. */
  readonly key: string
  readonly value: unknown
}

type TranslationTrees = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What is kept of a site as long as its translations stay the same. */
const laid = new WeakMap<CompiledSite, TranslationTrees>()
const caches: WeakMap<CompiledSite, unknown>[] = []

/** Something computed of a site's translations, which is forgotten when they change. */
export function translationCache<T>(): WeakMap<CompiledSite, T> {
  const cache = new WeakMap<CompiledSite, T>()
  caches.push(cache)
  return cache
}

/** The translations that count now, by locale. */
export function translationsOf(site: CompiledSite): TranslationTrees {
  return laid.get(site) ?? site.translations
}

/** Lays translations over those of a site, in their order: the last one counts. What was laid over it before is gone. */
export function layOver(site: CompiledSite, translations: readonly SetTranslation[]): void {
  for (const cache of caches) cache.delete(site)
  if (translations.length === 0) {
    laid.delete(site)
    return
  }
  // What is changed is copied first: the site's own trees stay as they are.
  const own = new Set<object>()
  const copied = (value: unknown): HashValue => {
    if (isHash(value) && own.has(value)) return value
    const copy = isHash(value) ? copyHash(value) : makeHash([])
    own.add(copy)
    return copy
  }
  const trees = copyHash(site.translations)
  for (const { locale, key, value } of translations) {
    const path = [locale, ...pathOf(key)]
    const last = path.pop() ?? ''
    let node = trees
    for (const part of path) {
      const next = copied(Object.hasOwn(node, part) ? node[part] : null)
      setKey(node, part, next)
      node = next
    }
    setKey(node, last, value)
  }
  laid.set(site, trees as TranslationTrees)
}

/** The names that lead to a key's value. */
export function pathOf(key: string): readonly string[] {
  const module = /^(modules\/[^/]+)\/(.*)$/s.exec(key)
  return module === null ? key.split('.') : [module[1]!, ...module[2]!.split('.')]
}
