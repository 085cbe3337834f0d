/** Caches values that are derived from objects, for as long as the objects exist. */
import { attached } from './attached.ts'
import type { Site } from './site.ts'
import { getOrMake } from '../source/maps.ts'

/** Stored instead of `undefined`, which means that there is no cached value yet. */
const UNDEFINED = Symbol('undefined')

/** Returns a function that computes a value once per object. */
export function derived<Source extends object, Value>(make: (source: Source) => Value): (source: Source) => Value {
  const cache = attached<Source, Value | typeof UNDEFINED>()
  return (source) => {
    const cached = cache.get(source)
    // `UNDEFINED` represents an undefined value, so `Value` includes undefined.
    if (cached === UNDEFINED) return undefined as Value
    if (cached !== undefined) return cached
    const value = make(source)
    cache.set(source, value === undefined ? UNDEFINED : value)
    return value
  }
}

/**
 * Returns a function that computes a value of a site once per structureVersion. The value must not depend on the bodies of pages, partials and
 * layouts.
 */
export function derivedFromFrame<Value>(make: (site: Site) => Value): (site: Site) => Value {
  const cache = attached<Site['structureVersion'], { readonly value: Value }>()
  return (site) => getOrMake(cache, site.structureVersion, () => ({ value: make(site) })).value
}
