/**
 * Converts values of conditions to parameters. A value that cannot be compared becomes null, which matches nothing: for example a text that
 * PostgreSQL cannot store, or an invalid number or id.
 */
import type { PropertyType } from '../../../page/compiled.ts'
import { arrayText } from '../../sql/quote.ts'
import { castText } from '../../values/cast.ts'
import { endOfDay, isoText, momentOf } from '../../values/moments.ts'
import { replaceLoneSurrogates } from '../../../page/values/well-formed.ts'
import { MISSING } from '../null-order.ts'
import { type ComparisonKind, comparisonKindOf, INDEXED_PREFIX } from './property.ts'

/** Converts the value of each execution to text; null matches nothing. */
export type ConvertToText = (value: unknown) => string | null

/** Returns whether PostgreSQL can store a text. It cannot store NUL and unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && replaceLoneSurrogates(text) === text
}

/** Returns a text for comparison with stored texts. */
export function plainText(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return `${value}`
  return typeof value === 'string' && isStorable(value) ? value : null
}

/** Returns the prefix of a text that indexes contain. */
export function startText(value: unknown): string | null {
  const text = plainText(value)
  // Cuts by characters: one outside the basic plane has two units in JavaScript and counts as one in PostgreSQL.
  return text === null || text.length <= INDEXED_PREFIX
    ? text
    : [...text.slice(0, 2 * INDEXED_PREFIX)].slice(0, INDEXED_PREFIX).join('')
}

/** Escapes a text for a `like` pattern. */
function escapedLikeText(value: unknown): string | null {
  return plainText(value)?.replace(/[\\%_]/g, '\\$&') ?? null
}

export function containsPattern(value: unknown): string | null {
  const text = escapedLikeText(value)
  return text === null ? null : `%${text}%`
}

export function prefixPattern(value: unknown): string | null {
  const text = escapedLikeText(value)
  return text === null ? null : `${text}%`
}

export function suffixPattern(value: unknown): string | null {
  const text = escapedLikeText(value)
  return text === null ? null : `%${text}`
}

const MAX_ID = 2n ** 63n - 1n

/** Returns the digits of an id; null for exponents such as `1e3`, spaces, and numbers beyond 64 bits. */
export function idText(value: unknown): string | null {
  const text = plainText(value)
  if (text === null || !/^-?\d{1,19}$/.test(text)) return null
  const id = BigInt(text)
  return id > MAX_ID || id < -MAX_ID ? null : `${id}`
}

/** Returns the digits of a table number, which has 32 bits. */
export function tableIdText(value: unknown): string | null {
  const text = idText(value)
  return text !== null && Math.abs(Number(text)) <= 2 ** 31 - 1 ? text : null
}

/** Returns the ISO text of a time that is given in ISO 8601 or as seconds since 1970. */
export function momentText(value: unknown): string | null {
  const moment = momentOf(value)
  return moment === null ? null : isoText(moment)
}

/** Wraps a conversion for bounds that refer to the end of a day: a text with only a date means the end of that day. */
function toEndOfDay(convert: ConvertToText): ConvertToText {
  return (value) => {
    const end = endOfDay(value)
    return end === null ? convert(value) : isoText(end)
  }
}

const lastMomentText = toEndOfDay(momentText)

function includesEndOfDay(operator: string): boolean {
  return operator === '<=' || operator === '>'
}

/** Returns the conversion of a bound for a time column. */
export function momentBound(operator: string): ConvertToText {
  return includesEndOfDay(operator) ? lastMomentText : momentText
}

/** Returns the stored value of a property of this type as text for comparison; null when the value cannot be stored. */
function storedText(type: PropertyType, value: unknown): string | null {
  const text = castText({ name: '', type, default: null, belongsTo: null, options: null }, value)
  if (text === null) return null
  const json: unknown = JSON.parse(text)
  return json === null ? '' : `${json}`
}

const NUMERAL = /^\s*[-+]?(?:\d{1,255}\.?\d{0,255}|\.\d{1,255})(?:[eE][-+]?\d{1,2})?\s*$/

function toNumberText(value: unknown): string | null {
  const text = plainText(value)
  if (text === null || typeof value === 'boolean') return null
  if (text === '') return MISSING.number
  return NUMERAL.test(text) ? text.trim() : null
}

function toTruthText(value: unknown): string | null {
  if (value === '') return MISSING.boolean
  const text = storedText('boolean', value)
  return text === 'true' ? '1' : text === 'false' ? '0' : null
}

function timeOf(type: PropertyType): ConvertToText {
  return (value) => (value === '' ? MISSING.time : storedText(type, value))
}

const TIMES = { datetime: timeOf('datetime'), date: timeOf('date'), time: timeOf('time') } as const

/** Returns the conversion of values for comparison with a property of a type. An empty text becomes the value of `MISSING`. */
export function comparisonConverter(type: PropertyType | null): ConvertToText {
  if (type === null) return plainText
  if (isTimeType(type)) return TIMES[type]
  switch (comparisonKindOf(type)) {
    case 'number':
      return toNumberText
    case 'boolean':
      return toTruthText
    default:
      return plainText
  }
}

/** Converts `value_int` and `value_float` to text. */
export const numberText: ConvertToText = toNumberText
/** Converts `value_boolean` to 0 or 1. */
export const truthText: ConvertToText = toTruthText

/** Wraps a conversion for bounds. The value of `MISSING` is not a valid bound, so it becomes null. */
function withoutBlank(convert: ConvertToText): ConvertToText {
  return (value) => (value === '' ? null : convert(value))
}

const BOUNDS: Readonly<Record<ComparisonKind, ConvertToText>> = {
  number: withoutBlank(toNumberText),
  boolean: withoutBlank(toTruthText),
  time: withoutBlank(TIMES.datetime),
  text: plainText,
  array: plainText,
}
const TIME_BOUNDS = { datetime: BOUNDS.time, date: withoutBlank(TIMES.date), time: withoutBlank(TIMES.time) } as const
const LAST_TIME = toEndOfDay(BOUNDS.time)

/** Returns the conversion of a bound for a property of a type. */
export function boundConverter(type: PropertyType, operator: string): ConvertToText {
  if (type === 'datetime' && includesEndOfDay(operator)) return LAST_TIME
  return isTimeType(type) ? TIME_BOUNDS[type] : BOUNDS[comparisonKindOf(type)]
}

function isTimeType(type: PropertyType): type is keyof typeof TIMES {
  return Object.hasOwn(TIMES, type)
}

const lists = new Map<ConvertToText, ConvertToText>()

/** Returns a conversion of lists to array texts. Items that cannot match are omitted. */
export function listConverter(convert: ConvertToText): ConvertToText {
  let converted = lists.get(convert)
  if (converted === undefined) {
    converted = (value) =>
      arrayText(
        asList(value)
          .map(convert)
          .filter((item) => item !== null),
      )
    lists.set(convert, converted)
  }
  return converted
}

/** Returns the array text of values that must all match; null when one of them cannot match. */
export function wholeList(value: unknown): string | null {
  const items = asList(value).map(plainText)
  return items.every((item) => item !== null) ? arrayText(items) : null
}

/** Returns the JSON text of a list of texts; null when one of them cannot be stored. */
export function listJson(value: unknown): string | null {
  const items = asList(value).map(plainText)
  return items.every((item) => item !== null) ? JSON.stringify(items) : null
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
