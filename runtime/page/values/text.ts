/**
 * Values as text: what a text filter sees (`str`), and what `{{ }}` prints in each kind of document. The hot functions are
 * tiny, so that V8 inlines them; everything rare stands in a `…Slow` function.
 */
import { BoxedText } from './boxed.ts'
import { Caught } from './caught.ts'
import { type HashValue, isHash, keys } from './hash.ts'
import { jsonEscaped, toJson } from './json.ts'
import { MAX_ITEMS, MAX_TEXT, tooLong, tooMany } from './limits.ts'
import { Markup, PRINTED } from './markup.ts'
import { Moment, momentText } from './moment.ts'
import { Float, numberText } from './number.ts'
import { Range } from './range.ts'
import { Json, Safe } from './safe.ts'
import { WORDS, Worded } from './worded.ts'

export { jsonEscaped } from './json.ts'
export { Json, Safe } from './safe.ts'

/** A value as text: nil is empty, arrays and hashes are JSON, safe text is unwrapped. @throws ArgumentFault, LimitFault as `toJson` */
export function str(v: unknown): string {
  return typeof v === 'string' ? v : strSlow(v)
}

function strSlow(v: unknown): string {
  if (typeof v === 'number') return Number.isSafeInteger(v) ? `${v}` : numberText(v)
  if (typeof v !== 'object' || v === null) return scalarText(v)
  if (v instanceof BoxedText) return v.$text
  if (v instanceof Caught) return v.message
  if (v instanceof Markup) return v[PRINTED]()
  if (v instanceof Worded) return v[WORDS]()
  return boxedText(v) ?? toJson(v)
}

function scalarText(v: unknown): string {
  if (typeof v === 'boolean' || typeof v === 'bigint') return `${v}`
  return typeof v === 'number' ? numberText(v) : typeof v === 'string' ? v : ''
}

/** Text of the boxed values that print alike everywhere; null for others. */
function boxedText(v: object): string | null {
  if (v instanceof Float) return numberText(v)
  if (v instanceof Range) return `${v.$first}..${v.$last}`
  return v instanceof Moment ? momentText(v) : null
}

const MARKUP = /["'&<>]/

/** Output in HTML: text is escaped, safe text is not, arrays and hashes are JSON without HTML characters. @throws ArgumentFault, LimitFault as `toJson` */
export function esc(v: unknown): string {
  if (typeof v === 'string') {
    const found = MARKUP.exec(v)
    return found === null ? v : escapeFrom(v, found.index)
  }
  return escSlow(v)
}

function escSlow(v: unknown): string {
  if (typeof v === 'number') return Number.isSafeInteger(v) ? `${v}` : numberText(v)
  if (typeof v !== 'object' || v === null) return scalarText(v)
  if (v instanceof Safe) return v instanceof Json ? jsonEscaped(v.$text) : v.$text
  if (v instanceof BoxedText) return escapeHtml(v.$text)
  if (v instanceof Caught) return escapeHtml(v.message)
  if (v instanceof Markup) return v[PRINTED]()
  if (v instanceof Worded) return escapeHtml(v[WORDS]())
  return boxedText(v) ?? jsonEscaped(toJson(v))
}

/** A text for HTML. */
export function escapeHtml(text: string): string {
  const found = MARKUP.exec(text)
  return found === null ? text : escapeFrom(text, found.index)
}

function escapeFrom(text: string, start: number): string {
  let out = ''
  let last = 0
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
    if (last !== index) out += text.slice(last, index)
    out += entity
    last = index + 1
  }
  return last === text.length ? out : out + text.slice(last)
}

/** Output inside the value of an HTML attribute: as `esc`, and the quotes of JSON become entities. @throws ArgumentFault, LimitFault as `toJson` */
export function escAttribute(v: unknown): string {
  if (typeof v !== 'object' || v === null || v instanceof Caught || v instanceof Worded) return esc(v)
  return v instanceof Json || Array.isArray(v) || isHash(v) ? escapeHtml(esc(v)) : esc(v)
}

/** Output in formats that know no markup (JSON, JavaScript, CSS, CSV, text …). @throws ArgumentFault, LimitFault as `toJson` */
export function plain(v: unknown): string {
  return typeof v === 'string' ? v : plainSlow(v)
}

function plainSlow(v: unknown): string {
  if (typeof v !== 'object' || v === null) return scalarText(v)
  if (v instanceof BoxedText) return v instanceof Json && !v.$raw ? jsonEscaped(v.$text) : v.$text
  if (v instanceof Caught) return v.message
  if (v instanceof Markup) return v[PRINTED]()
  if (v instanceof Worded) return v[WORDS]()
  return boxedText(v) ?? jsonEscaped(toJson(v))
}

/** Output in XML and RSS: as HTML, and JSON is text like any other. @throws ArgumentFault, LimitFault as `toJson` */
export function xml(v: unknown): string {
  return escAttribute(v)
}

/** What `print` writes: the value as it is; JSON that was not marked safe still without HTML characters. @throws ArgumentFault, LimitFault as `toJson` */
export function printed(v: unknown): string {
  return plain(v)
}

/** Output of the `liquid` dialect: the elements of an array one after the other, a hash in its inspected form. @throws LimitFault */
export function concat(v: unknown): string {
  if (typeof v === 'string') return v
  if (typeof v !== 'object' || v === null) return scalarText(v)
  if (Array.isArray(v)) return joined(v, [], { visits: 0 })
  return v instanceof BoxedText ? v.$text : (boxedText(v) ?? inspect(v))
}

function joined(v: readonly unknown[], above: readonly unknown[], state: { visits: number }): string {
  // An array inside itself adds nothing.
  if (above.includes(v)) return ''
  const path = [...above, v]
  let out = ''
  for (const item of v) {
    if (++state.visits > MAX_ITEMS) throw tooMany()
    out += Array.isArray(item) ? joined(item, path, state) : concat(item)
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return out
}

/** What the `liquid` dialect hands to a text parameter: arrays and hashes inspected, anything else unchanged. @throws LimitFault */
export function inspected(v: unknown): unknown {
  return Array.isArray(v) || isHash(v) ? inspect(v) : v
}

/** The inspected form: `{"k"=>"v", "n"=>nil}`, text quoted and escaped. @throws LimitFault when it grows too long */
export function inspect(v: unknown): string {
  return inspectIn(v, [], { visits: 0 })
}

function inspectIn(v: unknown, above: readonly unknown[], state: { visits: number }): string {
  if (typeof v === 'string') return quoted(v)
  if (v === null || v === undefined) return 'nil'
  if (typeof v !== 'object') return scalarText(v)
  if (v instanceof BoxedText) return quoted(v.$text)
  if (++state.visits > MAX_ITEMS) throw tooMany()
  if (Array.isArray(v)) return above.includes(v) ? '[...]' : inspectArray(v, [...above, v], state)
  if (isHash(v)) return above.includes(v) ? '{...}' : inspectHash(v, [...above, v], state)
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
    out += `${quoted(key)}=>${inspectIn(v[key], above, state)}`
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return `${out}}`
}

const NAMED: Readonly<Record<string, string>> = {
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

function quoted(text: string): string {
  // `#` is escaped where Ruby would read an interpolation.
  return `"${text.replace(/["\\\u0000-\u001f\u007f-\u009f]|#(?=[{$@])/g, escapeSign)}"`
}

function escapeSign(c: string): string {
  if (c === '#') return '\\#'
  return NAMED[c] ?? `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

const SURROGATE = /[\ud800-\udfff]/

/** Whether characters and UTF-16 units of a text are the same: then its length and `slice` count characters. */
export function isUnits(text: string): boolean {
  return !SURROGATE.test(text)
}

/** Number of characters: a pair of surrogates is one. */
export function characters(text: string): number {
  if (isUnits(text)) return text.length
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
  const next = text.charCodeAt(index + 1)
  return next >= 0xdc00 && next <= 0xdfff
}

/** The characters from `start` (counted in characters, not negative) up to `end`. */
export function characterSlice(text: string, start: number, end: number): string {
  if (isUnits(text)) return text.slice(start, end)
  return text.slice(unitAt(text, start), unitAt(text, end))
}

/** Index of the UTF-16 unit where the `count`th character begins. */
function unitAt(text: string, count: number): number {
  let index = 0
  for (let passed = 0; passed < count && index < text.length; passed++) index += isPair(text, index) ? 2 : 1
  return index
}
