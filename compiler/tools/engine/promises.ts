/** Promises among the data of a render: their values are put in their places before it. */
import { isPlainObject, isPromise, promisesMet } from '../../../runtime/index.ts'
import type { Data } from '../../../runtime/index.ts'

/** Depth to which data are looked through, and the most values that are looked at. */
const MOST_DEPTH = 20
const MOST_VALUES = 1_000_000

/** Whether one of the data is a promise itself. */
export function hasPromise(data: Data): boolean {
  for (const name in data) {
    const value = data[name]
    if (typeof value === 'object' && value !== null && isPromise(value)) return true
  }
  return false
}

/**
 * The data with the values of all promises in them, also of those in arrays, plain objects, maps and sets. What has no promise in it stays
 * the object that it is.
 * @throws what a promise is rejected with; RangeError for data that are too large to be looked through
 */
export async function resolved(data: Data): Promise<Data> {
  // The resolved copy of an object has the same names.
  return (await new Resolution().value(data, 0)) as Data
}

/**
 * Renders with the values of promises in their places. Data without any cost nothing: a promise deep in the data is met when a template
 * comes to it, and the render then begins again with the values of all promises.
 */
export async function withPromises<Result>(data: Data, render: (data: Data) => Promise<Result>): Promise<Result> {
  if (hasPromise(data)) return render(await resolved(data))
  const before = promisesMet()
  let result: Result
  try {
    result = await render(data)
  } catch (error) {
    // What failed may have failed for want of the value.
    const known = promisesMet() === before ? data : await resolved(data)
    if (known === data) throw error
    return render(known)
  }
  if (promisesMet() === before) return result
  const known = await resolved(data)
  // Another render has met its own.
  return known === data ? result : render(known)
}

/** What a render at once gives. @throws Error where the template came to a promise; `before` is how many were met before it */
export function withoutPromises<Result>(before: number, result: Result): Result {
  if (promisesMet() === before) return result
  throw new Error('the data hold a promise: render them with `render`, which waits for it')
}

class Resolution {
  #values = 0
  readonly #known = new Map<object, unknown>()

  async value(value: unknown, depth: number): Promise<unknown> {
    if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return value
    if (++this.#values > MOST_VALUES)
      throw new RangeError('the data hold promises, and are too large to look for all of them')
    if (isPromise(value)) return this.value(await value, depth + 1)
    if (this.#known.has(value)) return this.#known.get(value)
    // What is met again inside of itself stays what it is.
    this.#known.set(value, value)
    const made = await this.#container(value, depth + 1)
    this.#known.set(value, made)
    return made
  }

  async #container(value: object, depth: number): Promise<unknown> {
    if (value instanceof Map) {
      const entries = await this.#all([...value.values()], depth)
      return entries === null ? value : new Map([...value.keys()].map((key, at) => [key, entries[at]]))
    }
    if (value instanceof Set) return new Set((await this.#all([...value], depth)) ?? value)
    if (Array.isArray(value)) return (await this.#all(value, depth)) ?? value
    if (!isPlainObject(value)) return value
    const values = await this.#all(Object.values(value), depth)
    return values === null ? value : Object.fromEntries(Object.keys(value).map((key, at) => [key, values[at]]))
  }

  /** The values, or null where all of them are what they were. */
  async #all(values: readonly unknown[], depth: number): Promise<readonly unknown[] | null> {
    // One after the other would wait for each; scalars need no waiting at all.
    const made = await Promise.all(values.map((each) => (typeof each === 'object' ? this.value(each, depth) : each)))
    return made.every((each, at) => each === values[at]) ? null : made
  }
}
