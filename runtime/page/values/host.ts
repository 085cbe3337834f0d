/**
 * Values of JavaScript that are no plain data: what a host hands to the library beside arrays and plain objects. They are looked at where
 * a template comes to them, so that plain data costs nothing. Of a class nothing can be read but what is declared.
 */
import { Boxed, isHashClass } from './boxed.ts'
import { type HashValue, isHash, setKey } from './hash.ts'
import { Moment } from './moment.ts'

/** What templates may read of instances of a class: names of fields, getters and methods, by the class's prototype. */
const readables = new WeakMap<object, readonly string[]>()

/** Declares what templates may read of a class and of those that extend it. Methods are called without arguments. */
export function declareReadable(prototype: object, names: readonly string[]): void {
  readables.set(prototype, [...new Set([...(readables.get(prototype) ?? []), ...names])])
}

/** What was made of values of this render and of those that run beside it. */
let views = new WeakMap<object, unknown>()
let hasViews = false
let promises = 0

/** Values may have changed since the last render: what was made of them is forgotten. */
export function forgetViews(): void {
  if (!hasViews) return
  views = new WeakMap()
  hasViews = false
}

/** How many promises templates have come to so far. */
export function promisesMet(): number {
  return promises
}

/** Whether a value is a promise, or something else that can be waited for. */
export function isPromise(v: unknown): v is PromiseLike<unknown> {
  return (
    typeof v === 'object' && v !== null && !isPlainObject(v) && typeof (v as { then?: unknown }).then === 'function'
  )
}

/** Whether the object is an array or one that was written in braces, also in another realm. */
export function isPlainObject(v: object): boolean {
  return Array.isArray(v) || (isHash(v) && !isHashClass(v))
}

/** The value as templates see it: itself, but for objects that are no plain data. */
export function hosted(v: unknown): unknown {
  if (typeof v !== 'object' || v === null) return v
  const prototype: unknown = Object.getPrototypeOf(v)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null ? v : viewOf(v)
}

/** What stands for an object that is no plain data; the object itself where it is a value of the runtime. */
export function viewOf(v: object): unknown {
  if (Array.isArray(v) || isHash(v) || v instanceof Boxed) return v
  if (isPromise(v)) {
    promises++
    return null
  }
  const known = views.get(v)
  if (known !== undefined) return known
  const view = viewMade(v)
  views.set(v, view)
  hasViews = true
  return view
}

function viewMade(v: object): unknown {
  if (v instanceof Date) return dateView(v)
  if (v instanceof Set) return [...v]
  if (v instanceof String || v instanceof Number || v instanceof Boolean) return v.valueOf()
  const view: HashValue = {}
  if (v instanceof Map) {
    for (const [key, value] of v) if (typeof key === 'string' || typeof key === 'number') setKey(view, `${key}`, value)
    return view
  }
  for (const name of readableNames(v)) {
    const read = () => declaredValue(v, name)
    Object.defineProperty(view, name, { get: read, enumerable: true, configurable: true })
  }
  return view
}

function dateView(date: Date): Moment | null {
  const time = date.getTime()
  if (Number.isNaN(time)) return null
  const seconds = Math.floor(time / 1000)
  return new Moment('time', seconds, (time - seconds * 1000) * 1e6, 0, 'UTC')
}

function readableNames(v: object): ReadonlySet<string> {
  const names = new Set<string>()
  for (
    let at: unknown = Object.getPrototypeOf(v);
    typeof at === 'object' && at !== null;
    at = Object.getPrototypeOf(at)
  )
    for (const name of readables.get(at) ?? []) names.add(name)
  return names
}

function declaredValue(v: object, name: string): unknown {
  const value: unknown = Reflect.get(v, name)
  return typeof value === 'function' ? Reflect.apply(value, v, []) : value
}
