/**
 * Converts a host's values that are not plain data, such as class instances, maps and dates. They are converted when
 * a template reads them, so plain data costs nothing. Of class instances, only declared names are readable.
 */
import { Boxed, isHashClass } from './boxed.ts'
import { type HashValue, isHash, setKey } from './hash.ts'
import { Moment } from './moment.ts'

/** The declared names by class prototype: the fields, getters and methods that templates may read. */
const readables = new WeakMap<object, readonly string[]>()

/** Declares the names that templates may read of a class and its subclasses. Methods are called without arguments. */
export function declareReadable(prototype: object, names: readonly string[]): void {
  readables.set(prototype, [...new Set([...(readables.get(prototype) ?? []), ...names])])
}

/** The cached views of host values. This render shares them with renders that run at the same time. */
let views = new WeakMap<object, unknown>()
let hasViews = false
let promises = 0

/** Discards all views, because values may have changed since the last render. */
export function forgetViews(): void {
  if (!hasViews) return
  views = new WeakMap()
  hasViews = false
}

/** Returns how many promises templates have read so far. */
export function promisesMet(): number {
  return promises
}

/** Checks whether a value is a promise or another thenable. */
export function isPromise(v: unknown): v is PromiseLike<unknown> {
  return typeof v === 'object' && v !== null && !isPlainObject(v) && 'then' in v && typeof v.then === 'function'
}

/** Checks whether the object is an array or a plain object, also one of another realm. */
export function isPlainObject(v: object): boolean {
  return Array.isArray(v) || (isHash(v) && !isHashClass(v))
}

/** Returns the value as templates see it: unchanged, except for objects that are not plain data. */
export function hosted(v: unknown): unknown {
  if (typeof v !== 'object' || v === null) return v
  const prototype: unknown = Object.getPrototypeOf(v)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null ? v : toView(v)
}

/** Returns the view of an object that is not plain data. Values of the runtime are returned unchanged. */
export function toView(v: object): unknown {
  if (Array.isArray(v) || isHash(v) || v instanceof Boxed) return v
  if (isPromise(v)) {
    promises++
    return null
  }
  const cachedView = views.get(v)
  if (cachedView !== undefined) return cachedView
  const view = createView(v)
  views.set(v, view)
  hasViews = true
  return view
}

function createView(v: object): unknown {
  if (v instanceof Date) return dateView(v)
  if (v instanceof Set) return [...v]
  if (v instanceof String || v instanceof Number || v instanceof Boolean) return v.valueOf()
  const view: HashValue = {}
  if (v instanceof Map) {
    for (const [key, value] of v) if (typeof key === 'string' || typeof key === 'number') setKey(view, `${key}`, value)
    return view
  }
  for (const name of readableNames(v)) {
    const readValue = () => declaredValue(v, name)
    Object.defineProperty(view, name, { get: readValue, enumerable: true, configurable: true })
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
