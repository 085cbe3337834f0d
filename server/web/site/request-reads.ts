/**
 * Counts what a render reads of its visitor's request: headers, cookies, address and what follows from them. An answer
 * that may depend on it is kept for nobody else. Only pages that are cached pay for the counting.
 */
import type { Scope } from '../../../runtime/page/site.ts'

/** How often a request was read. */
export interface RequestReads {
  count: number
}

/** Fields of a context that come from what the visitor's browser sends beside the address of the page. */
const OF_VISITOR = ['cookies', 'device', 'is_xhr', 'useragent', 'visitor'] as const

/** Headers by which the cache tells answers apart, or which every visitor of a page sends alike. */
const SHARED: ReadonlySet<string> = new Set([
  'HTTP_HOST',
  'PATH_INFO',
  'QUERY_STRING',
  'REQUEST_METHOD',
  'REQUEST_URI',
  'SERVER_NAME',
  'SERVER_PORT',
])

/** Has every read of these fields counted, also of headers that were not sent: another visitor may send them. */
export function countReads(context: Scope, reads: RequestReads): void {
  for (const name of OF_VISITOR)
    accessed(context, name, (read) => {
      reads.count++
      return read()
    })
  let headers: Scope | null = null
  accessed(context, 'headers', (read) => (headers ??= countedHeaders(read() as Scope, reads)))
}

function countedHeaders(headers: Scope, reads: RequestReads): Scope {
  const touched = (name: string | symbol): void => {
    if (typeof name === 'string' && !SHARED.has(name)) reads.count++
  }
  return new Proxy(headers, {
    get(target, name) {
      touched(name)
      return Reflect.get(target, name) as unknown
    },
    has(target, name) {
      touched(name)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor(target, name) {
      touched(name)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys(target) {
      reads.count++
      return Reflect.ownKeys(target)
    },
  })
}

/** Puts a function before the reads of a field. */
function accessed(holder: Scope, name: string, get: (read: () => unknown) => unknown): void {
  const own = Object.getOwnPropertyDescriptor(holder, name)
  let known: { readonly value: unknown } | null = null
  const read = (): unknown => {
    if (known === null) {
      known = { value: own?.get === undefined ? own?.value : own.get.call(holder) }
      // A computed field has put its value in the place of this function.
      define()
    }
    return known.value
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
  const enumerable = own?.enumerable ?? true
  define()
}
