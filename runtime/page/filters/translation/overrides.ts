/** Translations that are set at run time and override the built-in ones. */
import type { CompiledSite } from '../../site.ts'
import { copyHash, type HashValue, isHash, makeHash, setKey } from '../../values/hash.ts'

/** A translation set at run time: a text, list or number. Null hides the site's translation. */
export interface SetTranslation {
  readonly locale: string
  /** Dotted key; `modules/<name>/…` for a module. */
  readonly key: string
  readonly value: unknown
}

/** Nested translations by locale. */
type TranslationTrees = Readonly<Record<string, unknown>>

/** The current translations of each site. They are replaced whenever they change. */
const overrides = new WeakMap<CompiledSite, TranslationTrees>()
const caches: WeakMap<CompiledSite, unknown>[] = []

/** Creates a cache for values that are derived from a site's translations. The cache is cleared when the translations change. */
export function translationCache<T>(): WeakMap<CompiledSite, T> {
  const cache = new WeakMap<CompiledSite, T>()
  caches.push(cache)
  return cache
}

/** Returns the current translations by locale. */
export function translationsOf(site: CompiledSite): TranslationTrees {
  return overrides.get(site) ?? site.translations
}

/**
 * Sets the translations that override those of a site. They replace all earlier overrides. When two have the same key, the later one is
 * used.
 */
export function overrideTranslations(site: CompiledSite, translations: readonly SetTranslation[]): void {
  for (const cache of caches) cache.delete(site)
  if (translations.length === 0) {
    overrides.delete(site)
    return
  }
  // Objects are copied before they are changed, so that the site's own translations stay unchanged.
  const copiedObjects = new Set<object>()
  const copyOnce = (value: unknown): HashValue => {
    if (isHash(value) && copiedObjects.has(value)) return value
    const copy = isHash(value) ? copyHash(value) : makeHash([])
    copiedObjects.add(copy)
    return copy
  }
  const trees = copyHash(site.translations)
  for (const { locale, key, value } of translations) {
    const path = [locale, ...splitKey(key)]
    const lastKey = path.pop() ?? ''
    let node = trees
    for (const part of path) {
      const nextNode = copyOnce(Object.hasOwn(node, part) ? node[part] : null)
      setKey(node, part, nextNode)
      node = nextNode
    }
    setKey(node, lastKey, value)
  }
  overrides.set(site, trees)
}

/** Splits a key into its path. */
export function splitKey(key: string): readonly string[] {
  const [, module, rest] = /^(modules\/[^/]+)\/(.*)$/s.exec(key) ?? []
  return module === undefined || rest === undefined ? key.split('.') : [module, ...rest.split('.')]
}
