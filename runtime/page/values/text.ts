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
export function str(value: unknown): string {
  if (typeof value !== 'string') return chargeAndReturn(strSlow(value))
  if (value.length > SHORT) chargeText(value.length)
  return value
}

function chargeAndReturn(text: string): string {
  chargeText(text.length)
  return text
}

/**
 * Converts a value to text without charging its length, for work that does not depend on it, such as appending.
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function textWithoutCharge(value: unknown): string {
  return typeof value === 'string' ? value : strSlow(value)
}

function strSlow(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `${value}` : numberText(value)
  if (typeof value !== 'object' || value === null) return scalarText(value)
  if (value instanceof BoxedText) return value.$text
  if (value instanceof CaughtError) return value.message
  if (value instanceof Markup) return value[MARKUP_OF]()
  if (value instanceof TextualHash) return value[TEXT_OF]()
  return boxedText(value) ?? hostText(value, textWithoutCharge) ?? toJson(value)
}

/** Returns the text of a host's object that is not plain data, as templates see it; null for all other values. */
function hostText(value: object, print: (value: unknown) => string): string | null {
  const viewed = toView(value)
  return viewed === value ? null : print(viewed)
}

function scalarText(value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'bigint') return `${value}`
  return typeof value === 'number' ? numberText(value) : typeof value === 'string' ? value : ''
}

/** Returns the text of boxed values that print the same in every format; null for other values. */
function boxedText(value: object): string | null {
  if (value instanceof Float) return numberText(value)
  if (value instanceof Range) return `${value.$first}..${value.$last}`
  if (value instanceof Self) return SELF_TEXT
  return value instanceof Moment ? formatMoment(value) : null
}

const MARKUP = /["'&<>]/

/**
 * Prints a value in HTML: text is escaped unless it is safe; arrays and hashes are JSON without HTML characters.
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function esc(value: unknown): string {
  return typeof value === 'string' ? escapeHtml(value) : escSlow(value)
}

function escSlow(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `${value}` : numberText(value)
  if (typeof value !== 'object' || value === null) return scalarText(value)
  if (value instanceof Safe) return value instanceof Json ? escapeJson(value.$text) : value.$text
  if (value instanceof BoxedText) return escapeHtml(value.$text)
  if (value instanceof CaughtError) return escapeHtml(value.message)
  if (value instanceof Markup) return value[MARKUP_OF]()
  if (value instanceof TextualHash) return escapeHtml(value[TEXT_OF]())
  return boxedText(value) ?? hostText(value, esc) ?? escapeJson(toJson(value))
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
export function escAttribute(value: unknown): string {
  return typeof value === 'object' ? escAttributeSlow(value) : esc(value)
}

function escAttributeSlow(value: object | null): string {
  if (value instanceof CaughtError || value instanceof TextualHash) return esc(value)
  return value instanceof Json || Array.isArray(value) || isHash(value) ? escapeHtml(esc(value)) : esc(value)
}

/**
 * Prints a value in formats without markup (JSON, JavaScript, CSS, CSV, text …).
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function plain(value: unknown): string {
  return typeof value === 'string' ? value : plainSlow(value)
}

function plainSlow(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalarText(value)
  if (value instanceof BoxedText) return value instanceof Json && !value.$raw ? escapeJson(value.$text) : value.$text
  if (value instanceof CaughtError) return value.message
  if (value instanceof Markup) return value[MARKUP_OF]()
  if (value instanceof TextualHash) return value[TEXT_OF]()
  return boxedText(value) ?? hostText(value, plain) ?? escapeJson(toJson(value))
}

/**
 * Prints a value in XML and RSS: as in HTML, but JSON is escaped like any text.
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function xml(value: unknown): string {
  return escAttribute(value)
}

/**
 * Output of `print`: the value unescaped. JSON that was not marked safe has no HTML characters.
 * @throws ArgumentFault, LimitFault as `toJson`
 */
export function printed(value: unknown): string {
  return plain(value)
}

/**
 * Prints a value in the `liquid` dialect: the elements of an array concatenated, a hash inspected.
 * @throws LimitFault
 */
export function concat(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return scalarText(value)
  if (Array.isArray(value)) return concatArray(value, [], { visits: 0 })
  return value instanceof BoxedText ? value.$text : (boxedText(value) ?? hostText(value, concat) ?? inspect(value))
}

function concatArray(value: readonly unknown[], above: readonly unknown[], state: { visits: number }): string {
  // An array that contains itself prints nothing in its own place.
  if (above.includes(value)) return ''
  const path = [...above, value]
  let out = ''
  for (const item of value) {
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
  const operand = hosted(value)
  return Array.isArray(operand) || isHash(operand) ? inspect(operand) : operand
}

/**
 * Returns Ruby's inspected form: `{"k"=>"v", "n"=>nil}`, with text quoted and escaped.
 * @throws LimitFault when it grows too long
 */
export function inspect(value: unknown): string {
  return inspectIn(value, [], { visits: 0 })
}

function inspectIn(value: unknown, above: readonly unknown[], state: { visits: number }): string {
  if (typeof value === 'string') return quote(value)
  if (value === null || value === undefined) return 'nil'
  if (typeof value !== 'object') return scalarText(value)
  if (value instanceof BoxedText) return quote(value.$text)
  if (++state.visits > MAX_ITEMS) throw tooMany()
  if (Array.isArray(value)) return above.includes(value) ? '[...]' : inspectArray(value, [...above, value], state)
  if (isHash(value)) return above.includes(value) ? '{...}' : inspectHash(value, [...above, value], state)
  const viewed = toView(value)
  if (viewed !== value) return inspectIn(viewed, [...above, value], state)
  return boxedText(value) ?? ''
}

function inspectArray(value: readonly unknown[], above: readonly unknown[], state: { visits: number }): string {
  let out = '['
  for (let index = 0; index < value.length; index++) {
    if (index > 0) out += ', '
    out += inspectIn(value[index], above, state)
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return `${out}]`
}

function inspectHash(value: HashValue, above: readonly unknown[], state: { visits: number }): string {
  let out = '{'
  for (const key of keys(value)) {
    if (out.length > 1) out += ', '
    out += `${quote(key)}=>${inspectIn(value[key], above, state)}`
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
