/** Caches values that are derived from objects, for as long as the objects exist. */
import { attached } from './attached.ts'
import type { Site } from './site.ts'

/** Stored instead of `undefined`, which means that there is no cached value yet. */
const UNDEFINED = Symbol('undefined')

/** Returns a function that computes a value once per object. */
export function derived<Source extends object, Value>(make: (source: Source) => Value): (source: Source) => Value {
  const known = attached<Source, Value | typeof UNDEFINED>()
  return (source) => {
    const kept = known.get(source)
    // `UNDEFINED` stands for an undefined value, so `Value` includes undefined.
    if (kept === UNDEFINED) return undefined as Value
    if (kept !== undefined) return kept
    const value = make(source)
    known.set(source, value === undefined ? UNDEFINED : value)
    return value
  }
}

/**
 * Returns a function that computes a value of a site once per frame. The value must not depend on the bodies of pages, partials and
 * layouts.
 */
export function derivedFromFrame<Value>(make: (site: Site) => Value): (site: Site) => Value {
  const known = attached<Site['frame'], { readonly value: Value }>()
  return (site) => {
    let kept = known.get(site.frame)
    if (kept === undefined) known.set(site.frame, (kept = { value: make(site) }))
    return kept.value
  }
}
