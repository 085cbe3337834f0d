/** `geometry`: GeoJSON (RFC 7946), as an object or as its text. */
import { isHash } from '../../../page/values/hash.ts'
import { isBlank } from '../../../page/values/truth.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'
import { parseJsonText } from '../../values/json-data.ts'

/** Maximum nesting of collections. */
const DEPTH = 20

export const geometry: Validator = {
  description: 'The value must be GeoJSON, as an object or as text. Blank values are valid.',
  options: {},
  check(value) {
    if (isBlank(value)) return NO_PROBLEMS
    return isGeometry(typeof value === 'string' ? parseJsonText(value) : value, 0) ? NO_PROBLEMS : problemOf('invalid')
  },
}

/** The structure of the coordinates, by type. */
const SHAPES: Readonly<Record<string, (coordinates: unknown) => boolean>> = {
  Point: isPosition,
  MultiPoint: (value) => listOf(value, isPosition, 0),
  LineString: isLine,
  MultiLineString: (value) => listOf(value, isLine, 0),
  Polygon: isPolygon,
  MultiPolygon: (value) => listOf(value, isPolygon, 0),
}

function isGeometry(value: unknown, depth: number): boolean {
  if (!isHash(value) || depth > DEPTH) return false
  const isNestedGeometry = (value: unknown): boolean => isGeometry(value, depth + 1)
  const { type } = value
  if (type === 'GeometryCollection') return listOf(value.geometries, isNestedGeometry, 0)
  if (type === 'FeatureCollection')
    return listOf(value.features, (value) => isHash(value) && value.type === 'Feature' && isNestedGeometry(value), 0)
  if (type === 'Feature') return value.geometry === null || isNestedGeometry(value.geometry)
  const shape = typeof type === 'string' && Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined
  return shape?.(value.coordinates) ?? false
}

function listOf(value: unknown, fits: (item: unknown) => boolean, minimumLength: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length >= minimumLength && value.every(fits)
}

/** Returns whether the value is a position: longitude, latitude, and an optional altitude. */
function isPosition(value: unknown): boolean {
  if (!listOf(value, (part) => typeof part === 'number' && Number.isFinite(part), 2)) return false
  const [longitude, latitude] = value
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return false
  return value.length <= 4 && Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
}

function isLine(value: unknown): boolean {
  return listOf(value, isPosition, 2)
}

function isPolygon(value: unknown): boolean {
  return listOf(value, isRing, 1)
}

/** Returns whether the value is a closed line. */
function isRing(value: unknown): boolean {
  return listOf(value, isPosition, 4) && JSON.stringify(value[0]) === JSON.stringify(value.at(-1))
}
