/** Resolves promises in the data of a render. */
import { isPlainObject, isPromise, promisesMet } from '../../../runtime/index.ts'
import type { Data } from '../../../runtime/index.ts'

/** Maximum depth to search in the data, and maximum number of values to visit. */
const MAX_DEPTH = 20
const MAX_VALUES = 1_000_000

/** Returns true if a top-level value is a promise. */
function hasPromise(data: Data): boolean {
  for (const name in data) {
    const value = data[name]
    if (typeof value === 'object' && value !== null && isPromise(value)) return true
  }
  return false
}

/**
 * Returns the data with all promises replaced by their values, also in arrays, plain objects, maps and sets. Objects without promises are
 * returned unchanged.
 * @throws the rejection reason of a promise; RangeError for data that are too large to search
 */
async function resolvePromises(data: Data): Promise<Data> {
  // The resolved copy of an object has the same names.
  return (await new PromiseResolver().value(data, 0)) as Data
}

/**
 * Renders data that may contain promises. Data without promises cost nothing. When a template reads a nested promise, all promises are
 * resolved and the render starts again.
 */
export async function withPromises<Result>(data: Data, render: (data: Data) => Promise<Result>): Promise<Result> {
  if (hasPromise(data)) return render(await resolvePromises(data))
  const promiseCount = promisesMet()
  let result: Result
  try {
    result = await render(data)
  } catch (error) {
    // The render may have failed because the value was a promise.
    const resolvedData = promisesMet() === promiseCount ? data : await resolvePromises(data)
    if (resolvedData === data) throw error
    return render(resolvedData)
  }
  if (promisesMet() === promiseCount) return result
  const resolvedData = await resolvePromises(data)
  // If the data contain no promise, a concurrent render has read one, and this result is complete.
  return resolvedData === data ? result : render(resolvedData)
}

/**
 * Returns the result of a synchronous render.
 * @throws Error if the template read a promise; `before` is the number of promises read before it
 */
export function withoutPromises<Result>(promiseCount: number, result: Result): Result {
  if (promisesMet() === promiseCount) return result
  throw new Error('the data contain a promise: use `render`, which waits for it')
}

class PromiseResolver {
  #values = 0
  readonly #known = new Map<object, unknown>()

  async value(value: unknown, depth: number): Promise<unknown> {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
    if (++this.#values > MAX_VALUES)
      throw new RangeError('the data contain promises, and are too large to resolve all of them')
    if (isPromise(value)) return this.value(await value, depth + 1)
    if (this.#known.has(value)) return this.#known.get(value)
    // A cyclic reference stays unchanged.
    this.#known.set(value, value)
    const resolved = await this.#container(value, depth + 1)
    this.#known.set(value, resolved)
    return resolved
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

  /** Returns the resolved values, or null if all of them are unchanged. */
  async #all(values: readonly unknown[], depth: number): Promise<readonly unknown[] | null> {
    // Values are resolved in parallel. Scalars need no promise.
    const resolved = await Promise.all(
      values.map((each) => (typeof each === 'object' ? this.value(each, depth) : each)),
    )
    return resolved.every((each, at) => each === values[at]) ? null : resolved
  }
}
