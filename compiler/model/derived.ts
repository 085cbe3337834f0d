/** Values that are made of one object alone, once, and kept for as long as the object is. */
export function derived<Source extends object, Value>(make: (source: Source) => Value): (source: Source) => Value {
  const known = new WeakMap<Source, { readonly value: Value }>()
  return (source) => {
    let kept = known.get(source)
    if (kept === undefined) known.set(source, (kept = { value: make(source) }))
    return kept.value
  }
}
