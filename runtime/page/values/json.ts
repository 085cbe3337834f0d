/**
 * Parses and prints JSON without the losses of JavaScript: integers and floats stay distinct, numbers have any length,
 * keys keep their order.
 */
import { toView } from './host-values.ts'
import { ArgumentFault } from '../fault.ts'
import { type Fields, isFields } from './fields.ts'
import { type HashValue, isHash, isOrdered, keys, setKey } from './hash.ts'
import { MAX_DEPTH, MAX_ITEMS, MAX_TEXT, tooDeep, tooLong, tooMany } from './value-limits.ts'
import { Moment, formatMomentJson } from './moment.ts'
import { Float, float, integer, numberText, toNumber } from './number.ts'
import { Range } from './range.ts'
import { BoxedText } from './boxed.ts'
import { chargeText } from './meter.ts'

// Matches features of JSON text that `JSON.parse` would lose: the order of keys that look like indexes, the type of `3.0`, exponents, and
// long numbers.
const INEXACT = /"\d{1,10}"\s*:|\d\.0+(?!\d)|\d[eE][-+]?\d|\d{16}|\\u003\d/

/**
 * Parses a JSON text.
 * @throws ArgumentFault for invalid JSON, and for more than 100 levels
 */
export function parseJson(text: string): unknown {
  if (text === '{}') return {}
  if (text === '[]') return []
  chargeText(text.length)
  if (INEXACT.test(text)) return new Parser(text).document()
  try {
    const value: unknown = JSON.parse(text)
    // Nesting of a hundred levels needs at least two hundred brackets.
    if (text.length > 2 * MAX_DEPTH) checkDepth(value, 0)
    return value
  } catch (error) {
    if (error instanceof ArgumentFault) throw error
    return new Parser(text).document()
  }
}

function checkDepth(value: unknown, depth: number): void {
  if (!isFields(value)) return
  if (depth >= MAX_DEPTH) throw tooDeep()
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') checkDepth(item, depth + 1)
    return
  }
  for (const key in value) {
    const item = value[key]
    if (typeof item === 'object') checkDepth(item, depth + 1)
  }
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** An exact parser. It is used only for texts that need it. */
class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): unknown {
    const value = this.#value(0)
    this.#space()
    if (this.#at < this.#text.length) throw this.#unexpected()
    return value
  }

  #value(depth: number): unknown {
    this.#space()
    const c = this.#text[this.#at]
    if (c === '{') return this.#hash(depth + 1)
    if (c === '[') return this.#array(depth + 1)
    if (c === '"') return this.#string()
    const literalValue = this.#match(/true|false|null/y, (found) => WORDS.get(found))
    // `null` is a value here, so a missing value is undefined.
    return literalValue === undefined ? this.#number() : literalValue
  }

  #hash(depth: number): HashValue {
    if (depth > MAX_DEPTH) throw tooDeep()
    const hash: HashValue = {}
    this.#at++
    if (this.#skip('}')) return hash
    do {
      this.#space()
      if (this.#text[this.#at] !== '"') throw this.#unexpected()
      const key = this.#string()
      if (!this.#skip(':')) throw this.#unexpected()
      setKey(hash, key, this.#value(depth))
    } while (this.#skip(','))
    if (!this.#skip('}')) throw this.#unexpected()
    return hash
  }

  #array(depth: number): unknown[] {
    if (depth > MAX_DEPTH) throw tooDeep()
    const array: unknown[] = []
    this.#at++
    if (this.#skip(']')) return array
    do array.push(this.#value(depth))
    while (this.#skip(','))
    if (!this.#skip(']')) throw this.#unexpected()
    return array
  }

  #string(): string {
    const start = this.#at
    let end = start + 1
    for (; end < this.#text.length; end++) {
      const c = this.#text.charCodeAt(end)
      if (c === 92) end++
      else if (c === 34) break
    }
    this.#at = end + 1
    try {
      return String(JSON.parse(this.#text.slice(start, this.#at)))
    } catch {
      this.#at = start
      throw this.#unexpected()
    }
  }

  #number(): unknown {
    const value = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y, (digits) =>
      /[.eE]/.test(digits) ? float(Number(digits)) : digits.length < 16 ? Number(digits) : parseInteger(digits),
    )
    if (value === undefined) throw this.#unexpected()
    return value
  }

  /** Applies `read` to the match of a sticky pattern at the current position; undefined when it does not match. */
  #match<Value>(pattern: RegExp, read: (text: string) => Value): Value | undefined {
    pattern.lastIndex = this.#at
    const tokenMatch = pattern.exec(this.#text)
    if (tokenMatch === null) return undefined
    this.#at = pattern.lastIndex
    return read(tokenMatch[0])
  }

  #skip(c: string): boolean {
    this.#space()
    if (this.#text[this.#at] !== c) return false
    this.#at++
    return true
  }

  #space(): void {
    for (;;) {
      const c = this.#text.charCodeAt(this.#at)
      if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return
      this.#at++
    }
  }

  #unexpected(): ArgumentFault {
    const remainingText = this.#text.slice(this.#at, this.#at + 40)
    return new ArgumentFault(
      remainingText === '' ? 'unexpected end of JSON' : `unexpected token in JSON at '${remainingText}'`,
    )
  }
}

function parseInteger(digits: string): number | bigint {
  // Longer numbers are not converted. Converting them takes more than linear time, and `integer` rejects them anyway.
  if (digits.length > 20_001) throw new ArgumentFault('a number in JSON has more than 20000 digits')
  return integer(BigInt(digits))
}

/**
 * Returns the JSON text of a value in the style of Rails: floats as `3.0` and `1.0e+20`, NaN and Infinity as null,
 * no spaces. Characters are not escaped; output functions write `<` as `\u003c`.
 * @throws ArgumentFault `Nesting too deep` for more than 100 levels, or a cycle
 * @throws LimitFault for a text that grows too long
 */
export function toJson(value: unknown): string {
  if (typeof value === 'string') {
    chargeText(value.length)
    return JSON.stringify(value)
  }
  if (!isFields(value)) return writeScalar(value)
  const text = isPlain(value, 0) ? JSON.stringify(value) : writeValue(value, 0, { visits: 0 })
  if (text.length > MAX_TEXT) throw tooLong()
  chargeText(text.length)
  return text
}

/** Maximum depth of the check below. Without it, values with shared parts could make the check very slow. */
const PLAIN_DEPTH = 12

/** Checks whether `JSON.stringify` gives the right result. If the check is wrongly negative, only time is lost. */
function isPlain(v: Fields, depth: number): boolean {
  if (depth > PLAIN_DEPTH) return false
  if (Array.isArray(v)) {
    for (let index = 0; index < v.length; index++) if (!isPlainItem(v[index], depth)) return false
    return true
  }
  const prototype: unknown = Object.getPrototypeOf(v)
  if ((prototype !== Object.prototype && prototype !== null) || isOrdered(v)) return false
  for (const key in v) {
    const item = v[key]
    // `JSON.stringify` would omit a key without a value.
    if (item === undefined || !isPlainItem(item, depth)) return false
  }
  return true
}

function isPlainItem(item: unknown, depth: number): boolean {
  if (typeof item === 'string') return true
  if (typeof item === 'number') return Number.isSafeInteger(item) || isPlainFraction(item)
  if (typeof item === 'object') return !isFields(item) || isPlain(item, depth + 1)
  return typeof item === 'boolean'
}

function isPlainFraction(n: number): boolean {
  const size = Math.abs(n)
  return size >= 1e-4 && size < 1e15
}

function writeValue(value: unknown, depth: number, state: { visits: number }): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return writeScalar(value)
  if (++state.visits > MAX_ITEMS) throw tooMany()
  if (Array.isArray(value)) return writeArray(value, depth + 1, state)
  if (isHash(value)) return writeHash(value, depth + 1, state)
  const viewed = toView(value)
  return viewed === value ? writeBoxed(value) : writeValue(viewed, depth + 1, state)
}

function writeArray(value: readonly unknown[], depth: number, state: { visits: number }): string {
  if (depth > MAX_DEPTH) throw tooDeep()
  let out = '['
  for (let index = 0; index < value.length; index++) {
    if (index > 0) out += ','
    out += writeValue(value[index], depth, state)
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return `${out}]`
}

function writeHash(value: HashValue, depth: number, state: { visits: number }): string {
  if (depth > MAX_DEPTH) throw tooDeep()
  let out = '{'
  for (const key of keys(value)) {
    if (out.length > 1) out += ','
    out += `${JSON.stringify(key)}:${writeValue(value[key], depth, state)}`
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return `${out}}`
}

function writeScalar(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : 'null'
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'boolean' ? `${value}` : 'null'
}

function writeBoxed(value: object): string {
  if (value instanceof BoxedText) return JSON.stringify(value.$text)
  if (value instanceof Float) return Number.isFinite(toNumber(value)) ? numberText(value) : 'null'
  if (value instanceof Range) return `"${value.$first}..${value.$last}"`
  return value instanceof Moment ? `"${formatMomentJson(value)}"` : 'null'
}

/** Escapes characters of JSON text that are special in HTML as `\u` sequences. */
export function escapeJson(text: string): string {
  return /[<>&\u2028\u2029]/.test(text) ? text.replace(/[<>&\u2028\u2029]/g, escapeOf) : text
}

function escapeOf(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
}
