/**
 * Attaches values to objects: a table from objects to values that is stored in the objects themselves.
 *
 * It works like a `WeakMap`. However, the garbage collector processes a `WeakMap` while the program is paused. With the trees and facts
 * of a large site, that pause takes a tenth of a second, during which an editor waits.
 */
export interface Attached<Source extends object, Value> {
  get(source: Source): Value | undefined
  set(source: Source, value: Value): void
}

/** Creates an empty table. Copies of an object do not keep the attached values. */
export function attached<Source extends object, Value>(): Attached<Source, Value> {
  const key = Symbol('attached')
  return {
    // The symbol is made here, so no type can declare it.
    get: (source) => (source as { readonly [key]?: Value })[key],
    set: (source, value) => void Object.defineProperty(source, key, { value, writable: true, configurable: true }),
  }
}
