/**
 * Prepares the classes of a library so that V8 optimizes the functions that construct them. A class with a computed static
 * accessor, as the queries and results of the database client have, is stored as a dictionary. V8 starts to optimize each
 * function that calls its constructor, finds at the end that it cannot rely on the class, discards the code, and starts
 * again. In a process that renders pages from the database, this took a quarter of the time, and the statements ran
 * unoptimized.
 */

type Class = new (...args: never[]) => object

/** Classes that are prepared already; preparing a class again has no effect. */
const prepared = new WeakSet<Class>()

/** Gives the class of an object a form that V8 can optimize. Its behavior does not change. */
export function prepareClassOf(instance: object): void {
  const { constructor: Base } = instance
  if (!isClass(Base) || prepared.has(Base)) return
  prepared.add(Base)
  // V8 converts an object to a fixed shape when lookups go through it, as through a class that another one extends.
  class Derived extends Base {}
  for (let lookup = 0; lookup < LOOKUPS; lookup++) lookUpMissing(Derived)
}

function isClass(value: unknown): value is Class {
  return typeof value === 'function'
}

/** The number of lookups after which V8 has converted the class. */
const LOOKUPS = 4

function lookUpMissing(owner: Class & { readonly missing?: unknown }): boolean {
  return owner.missing === undefined
}
