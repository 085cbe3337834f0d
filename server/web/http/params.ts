/**
 * Parses the parameters of a request: query, form and JSON bodies become nested hashes as in Rails. Input is untrusted, so
 * names never reach a prototype, and depth and number are limited.
 */
import { unescape as unescapeLax } from 'node:querystring'
import { isHash as isHashValue, removeKey, setKey } from '../../../runtime/page/values/hash.ts'
import { parseJson as exactJson } from '../../../runtime/page/values/json.ts'
import { mediaTypeIn } from './formats.ts'
import { BadRequest, headerOf, isSentFile, type Part, type Request } from './message.ts'

export type Params = Record<string, unknown>

export { BadRequest }

const MAX_DEPTH = 32
/** Maximum number of parameters of one request. */
export const MAX_PAIRS = 4096
const MAX_JSON_DEPTH = 100

/**
 * Parses the query: `a=1&b[c]=2&d[]=3`.
 * @throws BadRequest
 */
export function queryParams(request: Pick<Request, 'query'>): Params {
  return parsePairs(request.query)
}

/**
 * Parses the body by its content type. The result is empty when the body contains no parameters. Files are `SentFile` objects.
 * @throws BadRequest
 */
export function bodyParams(request: Pick<Request, 'headers' | 'body' | 'parts' | 'unreadable'>): Params {
  const { body, parts, unreadable } = request
  if (unreadable) throw unreadable
  if (parts) return partParams(parts)
  if (body === null || body.length === 0) return {}
  const type = mediaTypeIn(headerOf(request, 'content-type'))
  if (type === 'application/x-www-form-urlencoded') return parsePairs(decodeBody(body))
  if (type === 'application/json' || type.endsWith('+json')) return jsonParams(decodeBody(body))
  return {}
}

function partParams(parts: readonly Part[]): Params {
  const params: Params = {}
  if (parts.length > MAX_PAIRS) throw new BadRequest(`more than ${MAX_PAIRS} parameters`)
  for (const { name, value } of parts) setAtPath(params, pathOfName(name), value)
  return params
}

/** Returns the parameters as templates see them: a file is replaced by its name. */
export function plainParams(params: Params): Params {
  return holdsFile(params) ? plainHash(params) : params
}

function holdsFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isSentFile(value) || Object.values(value).some(holdsFile)
}

function plain(value: unknown): unknown {
  if (isSentFile(value)) return value.fileName
  if (Array.isArray(value)) return value.map(plain)
  return isHash(value) ? plainHash(value) : value
}

function plainHash(hash: Params): Params {
  const copy: Params = {}
  for (const [key, item] of Object.entries(hash)) setKey(copy, key, plain(item))
  return copy
}

/** Returns a body as text. */
export function decodeBody(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
}

/**
 * Parses `name=value` pairs with nested names.
 * @throws BadRequest when there are too many, or they nest too deep
 */
export function parsePairs(text: string): Params {
  const params: Params = {}
  if (text === '') return params
  const pairs = text.split('&', MAX_PAIRS + 1)
  if (pairs.length > MAX_PAIRS) throw new BadRequest(`more than ${MAX_PAIRS} parameters`)
  for (const pair of pairs) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = equals < 0 ? pair : pair.slice(0, equals)
    setAtPath(params, pathOfName(decode(name)), equals < 0 ? '' : decode(pair.slice(equals + 1)))
  }
  return params
}

/** Splits a name: `a[b][]` → `a`, `b`, `` (an item of an array). Any other name is one segment. */
function pathOfName(name: string): readonly string[] {
  const firstBracket = name.indexOf('[')
  if (firstBracket <= 0 || !name.endsWith(']')) return [name]
  const path = [name.slice(0, firstBracket)]
  let at = firstBracket
  while (at < name.length) {
    if (name[at] !== '[') return [name]
    const close = name.indexOf(']', at)
    path.push(name.slice(at + 1, close))
    if (path.length > MAX_DEPTH) throw new BadRequest(`parameters nested deeper than ${MAX_DEPTH}`)
    at = close + 1
  }
  return path
}

/** Sets a value at its path. When two names disagree about the shape, the later one wins. */
function setAtPath(params: Params, path: readonly string[], value: unknown): void {
  if (path.includes('__proto__')) return
  let holder: Params | unknown[] = params
  for (let i = 0; i < path.length; i++) {
    const key = path[i] ?? ''
    const isLast = i === path.length - 1
    const next = path[i + 1]
    if (Array.isArray(holder)) {
      if (isLast) {
        holder.push(value)
        return
      }
      holder = itemFor(holder, path, i)
    } else if (isLast) {
      setKey(holder, key, value)
    } else {
      const existing: unknown = Object.hasOwn(holder, key) ? holder[key] : undefined
      const child: Params | unknown[] =
        next === '' ? (Array.isArray(existing) ? existing : []) : isHash(existing) ? existing : {}
      if (child !== existing) setKey(holder, key, child)
      holder = child
    }
  }
}

// `a[][x]=1&a[][y]=2&a[][x]=3` creates two items: a name that the last item already has starts a new one.
function itemFor(list: unknown[], path: readonly string[], at: number): Params | unknown[] {
  const next = path[at + 1]
  const lastItem: unknown = list.at(-1)
  if (next === '') {
    const child: unknown[] = []
    list.push(child)
    return child
  }
  if (isHash(lastItem) && !has(lastItem, path.slice(at + 1))) return lastItem
  const child: Params = {}
  list.push(child)
  return child
}

function has(hash: Params, path: readonly string[]): boolean {
  let value: unknown = hash
  for (const key of path) {
    if (key === '') return false
    if (!isHash(value) || !Object.hasOwn(value, key)) return false
    value = value[key]
  }
  return true
}

function isHash(value: unknown): value is Params {
  // A file is a leaf value; names do not reach into it.
  return isHashValue(value) && !isSentFile(value)
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return spaced.includes('%') ? unescapeLax(spaced) : spaced
}

function jsonParams(text: string): Params {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  return isHash(value) ? value : { _json: value }
}

/** Matches `__proto__` in JSON, also with escaped characters. */
const PROTO = /__proto__|\\u00(?:5f|6f|7[024])/i

/**
 * Parses untrusted JSON. Integers and floats remain distinguishable, because templates need this.
 * @throws BadRequest when it is invalid or nested too deep
 */
function parseJson(text: string): unknown {
  if (nestsDeeperThan(text, MAX_JSON_DEPTH)) throw new BadRequest(`JSON nested deeper than ${MAX_JSON_DEPTH}`)
  try {
    const value = exactJson(text)
    // The key `__proto__` is dropped, because copying such a hash key by key would set a prototype.
    if (PROTO.test(text)) dropProto(value)
    return value
  } catch {
    throw new BadRequest('the body is not valid JSON')
  }
}

function dropProto(value: unknown): void {
  if (isHashValue(value)) {
    removeKey(value, '__proto__')
    Object.values(value).forEach(dropProto)
  } else if (Array.isArray(value)) value.forEach(dropProto)
}

/** Returns whether the lists and objects of a JSON text are nested deeper than a limit. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 92) i++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 91 || code === 123) {
      if (++depth > limit) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}
