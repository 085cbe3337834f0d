/**
 * Converts values to text: for text filters (`str`), and for `{{ }}` in each kind of document. The hot functions are
 * small, so that V8 inlines them; rare cases are in `…Slow` functions.
 */
import { BoxedText } from './boxed.ts'
import { CaughtError } from './caught-error.ts'
import { type HashValue, isHash, keys } from './hash.ts'
import { hosted, toView } from './host-values.ts'
import { escapeJson, toJson } from './json.ts'
import { MAX_ITEMS, MAX_TEXT, tooLong, tooMany } from './value-limits.ts'
import { Markup, MARKUP_OF } from './markup.ts'
import { Moment, formatMoment } from './moment.ts'
import { Float, numberText } from './number.ts'
import { Range } from './range.ts'
import { Json, Safe } from './safe.ts'
import { SELF_TEXT, Self } from './self.ts'
import { SHORT, chargeText } from './meter.ts'
import { TEXT_OF, TextualHash } from './textual-hash.ts'

export { Json, Safe } from './safe.ts'

/**
 * Converts a value to text that is then read completely, and charges its length. Nil is empty, arrays and hashes are
 * JSON, and safe text is unwrapped.
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function str(v: unknown): string {
  if (typeof v !== 'string') return chargeAndReturn(strSlow(v))
  if (v.length > SHORT) chargeText(v.length)
  return v
}

function chargeAndReturn(text: string): string {
  chargeText(text.length)
  return text
}

/**
 * Converts a value to text without charging its length, for work that does not depend on it, such as appending.
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function textWithoutCharge(v: unknown): string {
  return typeof v === 'string' ? v : strSlow(v)
}

function strSlow(v: unknown): string {
  if (typeof v === 'number') return Number.isSafeInteger(v) ? `${v}` : numberText(v)
  if (typeof v !== 'object' || v === null) return scalarText(v)
  if (v instanceof BoxedText) return v.$text
  if (v instanceof CaughtError) return v.message
  if (v instanceof Markup) return v[MARKUP_OF]()
  if (v instanceof TextualHash) return v[TEXT_OF]()
  return boxedText(v) ?? hostText(v, textWithoutCharge) ?? toJson(v)
}

/** Returns the text of a host's object that is not plain data, as templates see it; null for all other values. */
function hostText(v: object, print: (value: unknown) => string): string | null {
  const viewed = toView(v)
  return viewed === v ? null : print(viewed)
}

function scalarText(v: unknown): string {
  if (typeof v === 'boolean' || typeof v === 'bigint') return `${v}`
  return typeof v === 'number' ? numberText(v) : typeof v === 'string' ? v : ''
}

/** Returns the text of boxed values that print the same in every format; null for other values. */
function boxedText(v: object): string | null {
  if (v instanceof Float) return numberText(v)
  if (v instanceof Range) return `${v.$first}..${v.$last}`
  if (v instanceof Self) return SELF_TEXT
  return v instanceof Moment ? formatMoment(v) : null
}

const MARKUP = /["'&<>]/

/**
 * Prints a value in HTML: text is escaped unless it is safe; arrays and hashes are JSON without HTML characters.
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function esc(v: unknown): string {
  return typeof v === 'string' ? escapeHtml(v) : escSlow(v)
}

function escSlow(v: unknown): string {
  if (typeof v === 'number') return Number.isSafeInteger(v) ? `${v}` : numberText(v)
  if (typeof v !== 'object' || v === null) return scalarText(v)
  if (v instanceof Safe) return v instanceof Json ? escapeJson(v.$text) : v.$text
  if (v instanceof BoxedText) return escapeHtml(v.$text)
  if (v instanceof CaughtError) return escapeHtml(v.message)
  if (v instanceof Markup) return v[MARKUP_OF]()
  if (v instanceof TextualHash) return escapeHtml(v[TEXT_OF]())
  return boxedText(v) ?? hostText(v, esc) ?? escapeJson(toJson(v))
}

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  // Searching with a regular expression takes about twice as long as `upcase`.
  if (text.length > SHORT) chargeText(text.length * 2)
  return MARKUP.test(text) ? escapeFrom(text, text.search(MARKUP)) : text
}

function escapeFrom(text: string, start: number): string {
  let out = ''
  let copiedTo = 0
  for (let index = start; index < text.length; index++) {
    let entity: string
    switch (text.charCodeAt(index)) {
      case 34:
        entity = '&quot;'
        break
      case 38:
        entity = '&amp;'
        break
      case 39:
        entity = '&#39;'
        break
      case 60:
        entity = '&lt;'
        break
      case 62:
        entity = '&gt;'
        break
      default:
        continue
    }
    if (copiedTo !== index) out += text.slice(copiedTo, index)
    out += entity
    copiedTo = index + 1
  }
  return copiedTo === text.length ? out : out + text.slice(copiedTo)
}

/**
 * Prints a value in an HTML attribute, like `esc`. The quotes of JSON also become entities.
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function escAttribute(v: unknown): string {
  return typeof v === 'object' ? escAttributeSlow(v) : esc(v)
}

function escAttributeSlow(v: object | null): string {
  if (v instanceof CaughtError || v instanceof TextualHash) return esc(v)
  return v instanceof Json || Array.isArray(v) || isHash(v) ? escapeHtml(esc(v)) : esc(v)
}

/**
 * Prints a value in formats without markup (JSON, JavaScript, CSS, CSV, text …).
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function plain(v: unknown): string {
  return typeof v === 'string' ? v : plainSlow(v)
}

function plainSlow(v: unknown): string {
  if (typeof v !== 'object' || v === null) return scalarText(v)
  if (v instanceof BoxedText) return v instanceof Json && !v.$raw ? escapeJson(v.$text) : v.$text
  if (v instanceof CaughtError) return v.message
  if (v instanceof Markup) return v[MARKUP_OF]()
  if (v instanceof TextualHash) return v[TEXT_OF]()
  return boxedText(v) ?? hostText(v, plain) ?? escapeJson(toJson(v))
}

/**
 * Prints a value in XML and RSS: as in HTML, but JSON is escaped like any text.
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function xml(v: unknown): string {
  return escAttribute(v)
}

/**
 * Output of `print`: the value unescaped. JSON that was not marked safe has no HTML characters.
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function printed(v: unknown): string {
  return plain(v)
}

/**
 * Prints a value in the `liquid` dialect: the elements of an array concatenated, a hash inspected.
 * @throws LimitFault
 */
export function concat(v: unknown): string {
  if (typeof v === 'string') return v
  if (typeof v !== 'object' || v === null) return scalarText(v)
  if (Array.isArray(v)) return concatArray(v, [], { visits: 0 })
  return v instanceof BoxedText ? v.$text : (boxedText(v) ?? hostText(v, concat) ?? inspect(v))
}

function concatArray(v: readonly unknown[], above: readonly unknown[], state: { visits: number }): string {
  // An array that contains itself prints nothing in its own place.
  if (above.includes(v)) return ''
  const path = [...above, v]
  let out = ''
  for (const item of v) {
    if (++state.visits > MAX_ITEMS) throw tooMany()
    out += Array.isArray(item) ? concatArray(item, path, state) : concat(item)
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return out
}

/**
 * Converts the argument for a text parameter in the `liquid` dialect: arrays and hashes are inspected, other values are unchanged.
 * @throws LimitFault
 */
export function inspected(value: unknown): unknown {
  const v = hosted(value)
  return Array.isArray(v) || isHash(v) ? inspect(v) : v
}

/**
 * Returns Ruby's inspected form: `{"k"=>"v", "n"=>nil}`, with text quoted and escaped.
 * @throws LimitFault when it grows too long
 */
export function inspect(v: unknown): string {
  return inspectIn(v, [], { visits: 0 })
}

function inspectIn(v: unknown, above: readonly unknown[], state: { visits: number }): string {
  if (typeof v === 'string') return quote(v)
  if (v === null || v === undefined) return 'nil'
  if (typeof v !== 'object') return scalarText(v)
  if (v instanceof BoxedText) return quote(v.$text)
  if (++state.visits > MAX_ITEMS) throw tooMany()
  if (Array.isArray(v)) return above.includes(v) ? '[...]' : inspectArray(v, [...above, v], state)
  if (isHash(v)) return above.includes(v) ? '{...}' : inspectHash(v, [...above, v], state)
  const viewed = toView(v)
  if (viewed !== v) return inspectIn(viewed, [...above, v], state)
  return boxedText(v) ?? ''
}

function inspectArray(v: readonly unknown[], above: readonly unknown[], state: { visits: number }): string {
  let out = '['
  for (let index = 0; index < v.length; index++) {
    if (index > 0) out += ', '
    out += inspectIn(v[index], above, state)
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return `${out}]`
}

function inspectHash(v: HashValue, above: readonly unknown[], state: { visits: number }): string {
  let out = '{'
  for (const key of keys(v)) {
    if (out.length > 1) out += ', '
    out += `${quote(key)}=>${inspectIn(v[key], above, state)}`
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return `${out}}`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\v': '\\v',
  '\b': '\\b',
  '\u0007': '\\a',
  '\u001b': '\\e',
}

function quote(text: string): string {
  // `#` is escaped in places where Ruby would interpolate.
  return `"${text.replace(/["\\\u0000-\u001f\u007f-\u009f]|#(?=[{$@])/g, escapeCharacter)}"`
}

function escapeCharacter(c: string): string {
  if (c === '#') return '\\#'
  return ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

const SURROGATE = /[\ud800-\udfff]/

/** Checks whether every character of a text is one UTF-16 unit. If so, its length and `slice` count characters. */
export function hasNoSurrogates(text: string): boolean {
  return !SURROGATE.test(text)
}

/** Returns the number of characters. A surrogate pair is one character. */
export function countCharacters(text: string): number {
  if (hasNoSurrogates(text)) return text.length
  let count = text.length
  for (let index = 0; index < text.length - 1; index++) {
    if (isPair(text, index)) {
      count--
      index++
    }
  }
  return count
}

function isPair(text: string, index: number): boolean {
  const c = text.charCodeAt(index)
  if (c < 0xd800 || c > 0xdbff) return false
  const nextUnit = text.charCodeAt(index + 1)
  return nextUnit >= 0xdc00 && nextUnit <= 0xdfff
}

/** Returns the characters from `start` (in characters, not negative) to `end`. */
export function sliceCharacters(text: string, start: number, end: number): string {
  if (hasNoSurrogates(text)) return text.slice(start, end)
  return text.slice(unitAt(text, start), unitAt(text, end))
}

/** Returns the offset in UTF-16 units of the `count`th character. */
function unitAt(text: string, count: number): number {
  let index = 0
  for (let passed = 0; passed < count && index < text.length; passed++) index += isPair(text, index) ? 2 : 1
  return index
}
