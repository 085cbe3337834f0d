/**
 * Lets V8 compile the functions that construct a class of a library. A class with a computed static accessor, as the database client's
 * queries and results have, is kept as a dictionary. Of a function that calls `super()` in one, or has one that does so
 * inlined, V8 begins to compile optimized code, finds at the end that it may not rely on the class, throws the code away and begins again:
 * a quarter of the time of a process that answers pages from the database went into that, and its statements were interpreted.
 */

type Class = new (...args: never[]) => object

/** Classes that were looked at; only the first look changes anything. */
const known = new WeakSet<Class>()

/** Turns the class of an object to the shape that V8 compiles for. Nothing of what the class does is changed. */
export function settleClassOf(instance: object): void {
  const { constructor } = instance
  if (typeof constructor !== 'function' || known.has(constructor as Class)) return
  known.add(constructor as Class)
  const Base = constructor as Class
  // V8 keeps as an object with a fixed shape what names are looked up through: here the class, as what another one inherits from.
  class Below extends Base {}
  for (let look = 0; look < LOOKS; look++) absentFrom(Below)
}

/** Lookups after which V8 has prepared the next one. */
const LOOKS = 4

function absentFrom(owner: Class & { readonly absent?: unknown }): boolean {
  return owner.absent === undefined
}
