/**
 * Counts how often a cached page reads the visitor's headers, cookies, address and derived fields. An answer that may
 * depend on these values is not cached for other visitors.
 */
import type { Scope } from '../../../runtime/page/site.ts'

/** The number of reads of a request. */
export interface RequestReads {
  count: number
}

/** Fields of a context that depend on what the visitor's browser sends in addition to the URL. */
const VISITOR_FIELDS = ['cookies', 'device', 'is_xhr', 'useragent', 'visitor'] as const

/** Headers that are part of the cache key, or that are the same for every visitor of a page. */
const SHARED_HEADERS: ReadonlySet<string> = new Set([
  'HTTP_HOST',
  'PATH_INFO',
  'QUERY_STRING',
  'REQUEST_METHOD',
  'REQUEST_URI',
  'SERVER_NAME',
  'SERVER_PORT',
])

/** Makes a context count its reads, including reads of missing headers, because another visitor may send them. */
export function countReads(context: Scope, reads: RequestReads): void {
  for (const name of VISITOR_FIELDS)
    interceptReads(context, name, (read) => {
      reads.count++
      return read()
    })
  let headers: unknown = null
  interceptReads(context, 'headers', (read) => (headers ??= countedHeaders(read(), reads)))
}

function countedHeaders(headers: unknown, reads: RequestReads): unknown {
  if (typeof headers !== 'object' || headers === null) return headers
  const countRead = (name: string | symbol): void => {
    if (typeof name === 'string' && !SHARED_HEADERS.has(name)) reads.count++
  }
  return new Proxy(headers, {
    get(target, name) {
      countRead(name)
      const value: unknown = Reflect.get(target, name)
      return value
    },
    has(target, name) {
      countRead(name)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor(target, name) {
      countRead(name)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys(target) {
      reads.count++
      return Reflect.ownKeys(target)
    },
  })
}

/** Replaces the getter of a field. */
function interceptReads(holder: Scope, name: string, get: (read: () => unknown) => unknown): void {
  const descriptor = Object.getOwnPropertyDescriptor(holder, name)
  let cached: { readonly value: unknown } | null = null
  const read = (): unknown => {
    if (cached === null) {
      cached = { value: descriptor?.get === undefined ? descriptor?.value : descriptor.get.call(holder) }
      // A computed field has replaced this getter by its value, so the getter is defined again.
      define()
    }
    return cached.value
  }
  const define = (): void => {
    Object.defineProperty(holder, name, {
      get: () => get(read),
      set(value: unknown) {
        Object.defineProperty(holder, name, { value, enumerable, writable: true, configurable: true })
      },
      enumerable,
      configurable: true,
    })
  }
  const enumerable = descriptor?.enumerable ?? true
  define()
}
