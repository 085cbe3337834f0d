/** Translations that are set at run time, laid over the built-in ones. */
import type { CompiledSite } from '../../site.ts'
import { copyHash, type HashValue, isHash, makeHash, setKey } from '../../values/hash.ts'

/** A text, list or number; null hides the site's translation. */
export interface SetTranslation {
  readonly locale: string
  /** Dotted; `modules/<name>/…` of a module. */
  readonly key: string
  readonly value: unknown
}

type TranslationTrees = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The current translations of sites; replaced whenever they change. */
const laid = new WeakMap<CompiledSite, TranslationTrees>()
const caches: WeakMap<CompiledSite, unknown>[] = []

/** A cache for values derived from a site's translations; cleared when they change. */
export function translationCache<T>(): WeakMap<CompiledSite, T> {
  const cache = new WeakMap<CompiledSite, T>()
  caches.push(cache)
  return cache
}

/** The current translations by locale. */
export function translationsOf(site: CompiledSite): TranslationTrees {
  return laid.get(site) ?? site.translations
}

/** Lays translations over those of a site; later ones win. Earlier overlays are removed. */
export function layOver(site: CompiledSite, translations: readonly SetTranslation[]): void {
  for (const cache of caches) cache.delete(site)
  if (translations.length === 0) {
    laid.delete(site)
    return
  }
  // Objects are copied before they are changed, so that the site's own translations stay intact.
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

/** The path of a key. */
export function pathOf(key: string): readonly string[] {
  const module = /^(modules\/[^/]+)\/(.*)$/s.exec(key)
  return module === null ? key.split('.') : [module[1]!, ...module[2]!.split('.')]
}
