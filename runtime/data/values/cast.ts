/**
 * Casts values to the declared types of properties, as JSON text for storage. The result is text because a JavaScript
 * number cannot represent every decimal and large integer.
 */
import type { PropertyDef } from '../../page/compiled.ts'
import { parseDateFields } from '../../page/values/date-text.ts'
import { parseText } from '../../page/values/time.ts'
import { plainJson, textJson } from './json-text.ts'
import { isoText, momentOf, UTC, wallText } from './moments.ts'
import { pathOfUpload, versionExtension, versionPath } from './upload-path.ts'
import { isObject, parseJsonText } from './json-data.ts'

/**
 * Returns the JSON text that stores a plain value in a property; null for a value that cannot be cast to the declared type.
 * Null and blank text clear the property: `null`, or `[]` for arrays.
 */
export function castText(property: PropertyDef, value: unknown): string | null {
  if (value === null || value === undefined) return property.type === 'array' ? '[]' : 'null'
  return CASTS[property.type](value, property)
}

/** A cast: returns JSON text, or null for a value that does not fit. */
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

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return (
    typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
  )
}

function stringJson(value: unknown): string | null {
  if (isScalar(value)) return textJson(`${value}`)
  // Text properties also store JSON documents, which `property_object` and `property_json` read.
  const text = isObject(value) || Array.isArray(value) ? plainJson(value) : null
  return text === null ? null : JSON.stringify(text)
}

const INTEGER = /^([-+]?)0*(\d+)(?:\.0*)?$/
const MAX_INTEGER = 2n ** 63n - 1n

function integerJson(value: unknown): string | null {
  if (typeof value === 'boolean' || !isScalar(value)) return null
  if (Number.isSafeInteger(value)) return `${value}`
  // Converted with BigInt: the text of a number from 1e21 on has an exponent and may be inexact.
  const text = typeof value === 'number' && Number.isInteger(value) ? `${BigInt(value)}` : `${value}`.trim()
  if (text === '') return 'null'
  const match = INTEGER.exec(text)
  if (match === null) return null
  const [, sign, digits = ''] = match
  if (digits.length > 19) return null
  const signedInteger = sign === '-' ? -BigInt(digits) : BigInt(digits)
  return signedInteger > MAX_INTEGER || signedInteger < -MAX_INTEGER - 1n ? null : `${signedInteger}`
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/

function floatJson(value: unknown): string | null {
  if (typeof value === 'boolean' || !isScalar(value)) return null
  const text = `${value}`.trim()
  if (text === '') return 'null'
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  // The text of -0 is `0`, which is valid JSON.
  return Number.isFinite(number) ? `${number}` : null
}

const DECIMAL = /^([-+]?)0*(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d{1,4}))?$/
/** Maximum digits and exponent of a decimal. */
const MAX_DIGITS = 1000

/** Converts a decimal to JSON text. The digits stay as written, including trailing zeros. */
function decimalJson(value: unknown): string | null {
  if (typeof value === 'boolean' || !isScalar(value)) return null
  const text = `${value}`.trim()
  if (text === '') return 'null'
  const match = NUMBER.test(text) ? DECIMAL.exec(text) : null
  if (match === null) return null
  const [, sign, wholePart = '', fraction = '', exponent = '0'] = match
  if (wholePart.length + fraction.length + Math.abs(Number(exponent)) > MAX_DIGITS) return null
  return `${sign === '-' ? '-' : ''}${wholePart || '0'}${fraction === '' ? '' : `.${fraction}`}${exponent === '0' ? '' : `e${Number(exponent)}`}`
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

function datetimeJson(value: unknown): string | null {
  if (value === '') return 'null'
  const moment = momentOf(value)
  return moment === null ? null : `"${isoText(moment)}"`
}

/** Converts a date to JSON text. The date stays as written, regardless of the time zone. */
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
  const fields = parseDateFields(value)
  if (fields === null || fields.hour === null || fields.year !== null || fields.month !== null) return null
  const day = parseText(`2000-01-01 ${value}`, UTC)
  return day === null ? null : `"${clockText(wallText(day))}"`
}

/** Returns the time of day in an ISO text, such as `14:28:48`. Milliseconds are included unless they are zero. */
function clockText(iso: string): string {
  return iso.slice(11, iso.endsWith('.000Z') ? 19 : 23)
}

function arrayJson(value: unknown): string | null {
  if (Array.isArray(value)) return listJson(value)
  if (!isScalar(value)) return null
  const text = `${value}`.trim()
  if (text === '') return '[]'
  const parsed = text.startsWith('[') ? parseJsonText(text) : undefined
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

function geoJson(value: unknown, { located }: PropertyDef): string | null {
  if (value === '') return 'null'
  const object = typeof value === 'string' ? parseJsonText(value) : value
  if (!isObject(object) || typeof object['type'] !== 'string' || !GEOMETRIES.has(object['type'])) return null
  const { type, coordinates } = object
  if (type === 'Point' && !isPosition(coordinates) && (located === true || !isNowhere(coordinates))) return null
  return plainJson(object)
}

function isPosition(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 2 && value.every((part) => Number.isFinite(part))
}

/** Returns whether coordinates are empty. Forms send empty coordinates for a place that was not chosen yet. */
function isNowhere(coordinates: unknown): boolean {
  return (
    coordinates === null ||
    (Array.isArray(coordinates) && coordinates.length >= 2 && coordinates.every((part) => part === null))
  )
}

/** Converts an address to JSON text. An address is an object of its parts, or a single text. */
function addressJson(value: unknown): string | null {
  if (value === '') return 'null'
  const parsed = typeof value === 'string' && value.trimStart().startsWith('{') ? parseJsonText(value) : value
  if (isObject(parsed)) return plainJson(parsed)
  return typeof value === 'string' ? textJson(value) : null
}

/**
 * Converts the value of an upload property to JSON text. A text is the URL of an uploaded file. An object was read from an upload property.
 */
function uploadJson(value: unknown, property: PropertyDef): string | null {
  if (typeof value === 'string') {
    const url = value.trim()
    if (url === '') return 'null'
    if (!isFileAddress(url)) return null
    // Of a file of this site only the path is stored, because the host and the signature in its URL may change.
    const path = pathOfUpload(url)
    const fileNameParts = fileName(path ?? url)
    const versions = path === null ? {} : versionsOf(path, fileNameParts.extension, property)
    return plainJson({ path: path ?? url, ...fileNameParts, versions })
  }
  if (!isObject(value)) return null
  const path = value['path'] ?? value['url']
  if (typeof path !== 'string' || path === '' || !isFileAddress(path)) return null
  const versions = isObject(value['versions']) ? value['versions'] : {}
  if (!Object.values(versions).every((each) => typeof each === 'string' && isFileAddress(each))) return null
  const fileNameParts = fileName(path)
  return plainJson({
    path: pathOfUpload(path) ?? path,
    file_name: textOr(value['file_name'], fileNameParts.file_name),
    extension: textOr(value['extension'], fileNameParts.extension),
    versions,
  })
}

/**
 * Returns whether a text can be the address of a file: an HTTP URL or a path. Visitors send it and pages link to it, so other schemes such
 * as `javascript:` are rejected. White space and control characters are ignored, as browsers do.
 */
function isFileAddress(text: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text.replace(/[\x00-\x20\x7f-\xa0]+/g, ''))?.[1]
  return scheme === undefined || /^https?$/i.test(scheme)
}

/** Returns the paths of the declared image versions by name. They were created when the file was uploaded. */
function versionsOf(path: string, extension: string, { options }: PropertyDef): Readonly<Record<string, string>> {
  const declared = options?.['versions']
  if (!Array.isArray(declared)) return {}
  const paths = declared.flatMap((version: unknown): [string, string][] => {
    if (!isObject(version) || typeof version['name'] !== 'string') return []
    const output = version['output']
    const extensionOfVersion = versionExtension(extension, isObject(output) ? output['format'] : null)
    return extensionOfVersion === null
      ? []
      : [[version['name'], versionPath(path, version['name'], extensionOfVersion)]]
  })
  return Object.fromEntries(paths)
}

function textOr(value: unknown, defaultText: string): string {
  return typeof value === 'string' ? value : defaultText
}

/** Returns the file name and the extension in a URL or path. */
function fileName(path: string): { file_name: string; extension: string } {
  const encodedName = path.replace(/[?#].*$/s, '').replace(/^.*\//s, '')
  let name = encodedName
  try {
    name = decodeURIComponent(encodedName)
  } catch {
    // A name with an invalid escape is used unchanged.
  }
  const dot = name.lastIndexOf('.')
  return { file_name: name, extension: dot > 0 ? name.slice(dot + 1).toLowerCase() : '' }
}
