/**
 * Values that are kept with objects which know nothing of them: a table from objects to values, which lies in the objects themselves.
 *
 * A `WeakMap` does the same, but what is reachable through one alone the engine marks while the program stands still: with the trees and the
 * facts of a large site in such tables that is a pause of a tenth of a second, where an editor waits for an answer.
 */
export interface Attached<Source extends object, Value> {
  get(source: Source): Value | undefined
  set(source: Source, value: Value): void
}

/** A table that is empty. Copies of an object have nothing of what is attached to it. */
export function attached<Source extends object, Value>(): Attached<Source, Value> {
  const name = Symbol('attached')
  return {
    // The symbol is made here, so no type can declare it.
    get: (source) => (source as { readonly [name]?: Value })[name],
    set: (source, value) => void Object.defineProperty(source, name, { value, writable: true, configurable: true }),
  }
}
