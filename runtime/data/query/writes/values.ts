/**
 * Values of properties as they are stored: the one table of casts from what a writer gives to JSON text by declared type.
 * It makes text because a JavaScript number cannot carry the digits of a decimal or of a large integer.
 */
import { parseFields } from '../../../page/values/date-text.ts'
import { type Moment, momentIn, parseText, type TimeSource } from '../../../page/values/time.ts'
import { pathOfUpload, versionExtension, versionPath } from '../../../page/values/upload-path.ts'
import type { PropertyDef } from '../../../page/compiled.ts'
import { type Place, QueryError } from '../model.ts'

/** JSON texts by property name, in the order in which they came. */
export type StoredTexts = ReadonlyMap<string, string>

/**
 * The JSON text that stores a value, plain data, in a property. Null and blank text clear: `null`, and `[]` for arrays.
 * @throws QueryError where the value cannot be cast to the declared type
 */
export function storedText(property: PropertyDef, value: unknown, at: Place | null = null): string {
  const text = castText(property, value)
  if (text === null) throw notCast(property, value, at)
  return text
}

/** As `storedText`, null for a value that cannot be cast to the type. */
export function castText(property: PropertyDef, value: unknown): string | null {
  if (value === null || value === undefined) return property.type === 'array' ? '[]' : 'null'
  return CASTS[property.type](value, property)
}

/** What a new row holds where the writer gives nothing: defaults as declared, and `[]` for arrays. */
export function defaultTexts(properties: Iterable<PropertyDef>): StoredTexts {
  const texts = new Map<string, string>()
  for (const property of properties) {
    if (property.default !== null) texts.set(property.name, storedText(property, property.default))
    else if (property.type === 'array') texts.set(property.name, '[]')
  }
  return texts
}

/** JSON text of an object. */
export function objectText(texts: Iterable<readonly [string, string]>): string {
  const parts: string[] = []
  for (const [name, text] of texts) parts.push(`${JSON.stringify(name)}:${text}`)
  return `{${parts.join(',')}}`
}

/** The error of a value that a property cannot hold. It shows the value as far as it is short. */
export function notCast(property: PropertyDef, value: unknown, at: Place | null): QueryError {
  const shown = plainJson(value) ?? (typeof value === 'string' ? 'text with NUL' : typeof value)
  const short = shown.length > 60 ? `${shown.slice(0, 57)}…` : shown
  const message = `Property \`${property.name}\` is ${article(property.type)} and cannot hold ${short}.`
  return new QueryError([{ code: 'property-type', message, at, hint: EXAMPLES[property.type] ?? null }])
}

function article(type: PropertyDef['type']): string {
  return `${/^[aiu]/.test(type) ? 'an' : 'a'} ${type}`
}

const EXAMPLES: Partial<Record<PropertyDef['type'], string>> = {
  integer: 'A whole number, as `42`.',
  float: 'A number, as `3.14`.',
  decimal: 'A number, as `3.14`.',
  boolean: '`true` or `false`.',
  datetime: 'A time, as `2020-03-15T14:28:48Z`, or seconds since 1970.',
  date: 'A day, as `2020-03-15`.',
  time: 'A time of the day, as `14:28:48`.',
  array: 'A list of texts, by `value_array`.',
  geojson: 'A GeoJSON object, as `{"type": "Point", "coordinates": [19.9, 50.1]}`.',
  upload: 'The URL of an uploaded file.',
}

/** A cast gives JSON text, or null where the value does not fit. */
type Cast = (value: unknown, property: PropertyDef) => string | null

const CASTS: Readonly<Record<PropertyDef['type'], Cast>> = {
  string: stringJson,
  binary: stringJson,
  integer: integerJson,
  float: floatJson,
  decimal: decimalJson,
  boolean: booleanJson,
  datetime: datetimeJson,
  date: dateJson,
  time: timeJson,
  array: arrayJson,
  geojson: geoJson,
  address: addressJson,
  upload: uploadJson,
  file: uploadJson,
  photo: uploadJson,
}

/** Whether PostgreSQL can store the text: all but NUL. Lone surrogates are no Unicode and become U+FFFD. */
function textJson(text: string): string | null {
  return text.includes('\0') ? null : JSON.stringify(wellFormed(text))
}

const LONE_SURROGATE = /\p{Surrogate}/gu

/** The text without halves of characters, which no encoding can write. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd')
}

/** JSON text of plain data, null where a text in it cannot be stored. */
export function plainJson(value: unknown): string | null {
  let storable = true
  const check = (text: string): string => {
    if (text.includes('\0')) storable = false
    return wellFormed(text)
  }
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return Number(item)
    if (typeof item === 'string') return check(item)
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    if (Object.keys(item).every((key) => !key.includes('\0') && wellFormed(key) === key)) return item
    return Object.fromEntries(Object.entries(item).map(([key, of]) => [check(key), of]))
  })
  return storable ? (text ?? null) : null
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return (
    typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function stringJson(value: unknown): string | null {
  if (isScalar(value)) return textJson(`${value}`)
  // Text properties hold documents too: `property_object` and `property_json` read them back.
  const text = isObject(value) || Array.isArray(value) ? plainJson(value) : null
  return text === null ? null : JSON.stringify(text)
}

const INTEGER = /^([-+]?)0*(\d+)(?:\.0*)?$/
const MAX_INTEGER = 2n ** 63n - 1n

function integerJson(value: unknown): string | null {
  if (typeof value === 'boolean' || !isScalar(value)) return null
  // A double shows digits that it does not have, and exponents beyond 1e21.
  const text = typeof value === 'number' && Number.isInteger(value) ? `${BigInt(value)}` : `${value}`.trim()
  if (text === '') return 'null'
  const found = INTEGER.exec(text)
  if (found === null || found[2]!.length > 19) return null
  const digits = BigInt(found[2]!)
  const whole = found[1] === '-' ? -digits : digits
  return whole > MAX_INTEGER || whole < -MAX_INTEGER - 1n ? null : `${whole}`
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/

function floatJson(value: unknown): string | null {
  if (typeof value === 'boolean' || !isScalar(value)) return null
  const text = `${value}`.trim()
  if (text === '') return 'null'
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  // `${-0}` is 0, which JSON can write.
  return Number.isFinite(number) ? `${number}` : null
}

const DECIMAL = /^([-+]?)0*(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d{1,4}))?$/
/** Digits and places of a decimal: far more than anything that is counted, and bounded. */
const MAX_DIGITS = 1000

/** Digits stay as they are written, down to the zeros at the end. */
function decimalJson(value: unknown): string | null {
  if (typeof value === 'boolean' || !isScalar(value)) return null
  const text = `${value}`.trim()
  if (text === '') return 'null'
  const found = NUMBER.test(text) ? DECIMAL.exec(text) : null
  if (found === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = found
  if (whole.length + fraction.length + Math.abs(Number(exponent)) > MAX_DIGITS) return null
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}${exponent === '0' ? '' : `e${Number(exponent)}`}`
}

const YES = new Set(['true', 't', '1', 'yes', 'y', 'on'])
const NO = new Set(['false', 'f', '0', 'no', 'n', 'off'])

function booleanJson(value: unknown): string | null {
  if (typeof value === 'boolean') return `${value}`
  if (!isScalar(value)) return null
  const text = `${value}`.trim().toLowerCase()
  if (text === '') return 'null'
  return YES.has(text) ? 'true' : NO.has(text) ? 'false' : null
}

/** Times without a zone are UTC. Parts that a text lacks never come from the clock, so `now` is not asked for. */
const UTC: TimeSource = { now: () => 0, timeZone: 'UTC' }

const EPOCH = /^-?\d{9,12}(?:\.\d+)?$/

/** The moment that a value names; numbers are seconds since 1970. Null for none, and for years that ISO 8601 cannot write. */
export function momentOf(value: unknown): Moment | null {
  if (!isScalar(value) || typeof value === 'boolean') return null
  const text = `${value}`.trim()
  if (typeof value !== 'string' || EPOCH.test(text)) return ofEpoch(Number(text))
  const fields = parseFields(text)
  if (fields === null || fields.year === null) return null
  if (fields.yearDay === null && (fields.month === null || fields.day === null)) return null
  return bounded(parseText(text, UTC))
}

/** The last millisecond of the day that a text names without a time of day; null for all else. */
export function endOfDay(value: unknown): Moment | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (EPOCH.test(text) || parseFields(text)?.hour !== null) return null
  const start = momentOf(text)
  return start === null ? null : momentIn(start.$seconds + 86_399, 999_000_000, 'UTC')
}

function ofEpoch(seconds: number): Moment | null {
  if (!(Math.abs(seconds) <= MAX_SECONDS)) return null
  const whole = Math.floor(seconds)
  return bounded(momentIn(whole, Math.round((seconds - whole) * 1e9), 'UTC'))
}

/** 31 December 9999. */
const MAX_SECONDS = 253_402_300_799
/** 1 January of the year 1. */
const MIN_SECONDS = -62_135_596_800

function bounded(moment: Moment | null): Moment | null {
  if (moment === null || moment.$seconds > MAX_SECONDS || moment.$seconds < MIN_SECONDS) return null
  return moment
}

/** `2020-03-15T14:28:48.153Z`: one form for all, so that the order of the texts is the order of the times. */
export function isoText(moment: Moment): string {
  return new Date(moment.$seconds * 1000 + Math.floor(moment.$nanos / 1e6)).toISOString()
}

/** The wall clock that the value shows, as if it were UTC. */
function wallText(moment: Moment): string {
  return new Date((moment.$seconds + moment.$offset) * 1000 + Math.floor(moment.$nanos / 1e6)).toISOString()
}

function datetimeJson(value: unknown): string | null {
  if (value === '') return 'null'
  const moment = momentOf(value)
  return moment === null ? null : `"${isoText(moment)}"`
}

/** A day is the one that the text names, whatever zone stands behind it. */
function dateJson(value: unknown): string | null {
  if (value === '') return 'null'
  const moment = momentOf(value)
  return moment === null ? null : `"${wallText(moment).slice(0, 10)}"`
}

function timeJson(value: unknown): string | null {
  if (value === '') return 'null'
  const moment = momentOf(value)
  if (moment !== null) return `"${clockText(wallText(moment))}"`
  if (typeof value !== 'string') return null
  const fields = parseFields(value)
  if (fields === null || fields.hour === null || fields.year !== null || fields.month !== null) return null
  const day = parseText(`2000-01-01 ${value}`, UTC)
  return day === null ? null : `"${clockText(wallText(day))}"`
}

/** `14:28:48`, with milliseconds where there are some. */
function clockText(iso: string): string {
  return iso.slice(11, iso.endsWith('.000Z') ? 19 : 23)
}

function arrayJson(value: unknown): string | null {
  if (Array.isArray(value)) return listJson(value)
  if (!isScalar(value)) return null
  const text = `${value}`.trim()
  if (text === '') return '[]'
  const parsed = text.startsWith('[') ? parsedJson(text) : undefined
  return Array.isArray(parsed) ? listJson(parsed) : listJson([`${value}`])
}

function listJson(items: readonly unknown[]): string | null {
  const texts: string[] = []
  for (const item of items) {
    if (item === null || item === undefined) continue
    const text = isScalar(item) ? textJson(`${item}`) : null
    if (text === null) return null
    texts.push(text)
  }
  return `[${texts.join(',')}]`
}

/** The value of a JSON text, undefined for what is none. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const GEOMETRIES = new Set([
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
  'Feature',
  'FeatureCollection',
])

function geoJson(value: unknown): string | null {
  if (value === '') return 'null'
  const object = typeof value === 'string' ? parsedJson(value) : value
  if (!isObject(object) || typeof object['type'] !== 'string' || !GEOMETRIES.has(object['type'])) return null
  if (object['type'] === 'Point' && !isPosition(object['coordinates'])) return null
  return plainJson(object)
}

function isPosition(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 2 && value.every((part) => Number.isFinite(part))
}

/** Addresses are objects of their parts; text is the whole address. */
function addressJson(value: unknown): string | null {
  if (value === '') return 'null'
  const parsed = typeof value === 'string' && value.trimStart().startsWith('{') ? parsedJson(value) : value
  if (isObject(parsed)) return plainJson(parsed)
  return typeof value === 'string' ? textJson(value) : null
}

/** Text is the URL of a file that is uploaded already. An object is what reading the property gave. */
function uploadJson(value: unknown, property: PropertyDef): string | null {
  if (typeof value === 'string') {
    const url = value.trim()
    if (url === '') return 'null'
    if (!isFileAddress(url)) return null
    // Of a file of ours the path is kept, whatever host or signature its address had.
    const path = pathOfUpload(url)
    const named = fileName(path ?? url)
    const versions = path === null ? {} : versionsOf(path, named.extension, property)
    return plainJson({ path: path ?? url, ...named, versions })
  }
  if (!isObject(value)) return null
  const path = value['path'] ?? value['url']
  if (typeof path !== 'string' || path === '' || !isFileAddress(path)) return null
  const versions = isObject(value['versions']) ? value['versions'] : {}
  if (!Object.values(versions).every((each) => typeof each === 'string' && isFileAddress(each))) return null
  const named = fileName(path)
  return plainJson({
    path: pathOfUpload(path) ?? path,
    file_name: textOr(value['file_name'], named.file_name),
    extension: textOr(value['extension'], named.extension),
    versions,
  })
}

/**
 * Whether a text may be where a file lies: on the web, or a path. Visitors send it and pages link to it, so that it must not be
 * what browsers run. They skip white space and control characters in addresses.
 */
function isFileAddress(text: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text.replace(/[\x00-\x20\x7f-\xa0]+/g, ''))?.[1]
  return scheme === undefined || /^https?$/i.test(scheme)
}

/** Paths of the image versions that were made when the file was sent: those that the property declares. */
function versionsOf(path: string, extension: string, { options }: PropertyDef): Readonly<Record<string, string>> {
  const declared = options?.['versions']
  if (!Array.isArray(declared)) return {}
  const paths = declared.flatMap((version: unknown): [string, string][] => {
    if (!isObject(version) || typeof version['name'] !== 'string') return []
    const output = version['output']
    const made = versionExtension(extension, isObject(output) ? output['format'] : null)
    return made === null ? [] : [[version['name'], versionPath(path, version['name'], made)]]
  })
  return Object.fromEntries(paths)
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other
}

/** Name and extension of the file behind a URL or path. */
function fileName(path: string): { file_name: string; extension: string } {
  const last = path.replace(/[?#].*$/s, '').replace(/^.*\//s, '')
  let name = last
  try {
    name = decodeURIComponent(last)
  } catch {
    // A name with a stray % is what it is.
  }
  const dot = name.lastIndexOf('.')
  return { file_name: name, extension: dot > 0 ? name.slice(dot + 1).toLowerCase() : '' }
}
