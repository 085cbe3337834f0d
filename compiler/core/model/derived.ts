/** What is made of other values once, and kept for as long as these are. */
import { attached } from './attached.ts'
import type { Site } from './site.ts'

/** Stands for the value itself, which would say that nothing was made yet. */
const UNDEFINED = Symbol('undefined')

/** A value that is made of one object alone. */
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

/** A value that is made of a site, and depends on nothing that stands in the bodies of pages, partials and layouts. */
export function ofFrame<Value>(make: (site: Site) => Value): (site: Site) => Value {
  const known = attached<Site['frame'], { readonly value: Value }>()
  return (site) => {
    let kept = known.get(site.frame)
    if (kept === undefined) known.set(site.frame, (kept = { value: make(site) }))
    return kept.value
  }
}
