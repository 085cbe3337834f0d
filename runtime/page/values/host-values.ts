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
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !isPlainObject(value) &&
    'then' in value &&
    typeof value.then === 'function'
  )
}

/** Checks whether the object is an array or a plain object, also one of another realm. */
export function isPlainObject(value: object): boolean {
  return Array.isArray(value) || (isHash(value) && !isHashClass(value))
}

/** Returns the value as templates see it: unchanged, except for objects that are not plain data. */
export function hosted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null ? value : toView(value)
}

/** Returns the view of an object that is not plain data. Values of the runtime are returned unchanged. */
export function toView(value: object): unknown {
  if (Array.isArray(value) || isHash(value) || value instanceof Boxed) return value
  if (isPromise(value)) {
    promises++
    return null
  }
  const cachedView = views.get(value)
  if (cachedView !== undefined) return cachedView
  const view = createView(value)
  views.set(value, view)
  hasViews = true
  return view
}

function createView(operand: object): unknown {
  if (operand instanceof Date) return dateView(operand)
  if (operand instanceof Set) return [...operand]
  if (operand instanceof String || operand instanceof Number || operand instanceof Boolean) return operand.valueOf()
  const view: HashValue = {}
  if (operand instanceof Map) {
    for (const [key, value] of operand)
      if (typeof key === 'string' || typeof key === 'number') setKey(view, `${key}`, value)
    return view
  }
  for (const name of readableNames(operand)) {
    const readValue = () => declaredValue(operand, name)
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

function readableNames(value: object): ReadonlySet<string> {
  const names = new Set<string>()
  for (
    let at: unknown = Object.getPrototypeOf(value);
    typeof at === 'object' && at !== null;
    at = Object.getPrototypeOf(at)
  )
    for (const name of readables.get(at) ?? []) names.add(name)
  return names
}

function declaredValue(operand: object, name: string): unknown {
  const value: unknown = Reflect.get(operand, name)
  return typeof value === 'function' ? Reflect.apply(value, operand, []) : value
}
