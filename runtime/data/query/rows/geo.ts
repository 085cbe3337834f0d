/** Distances between GeoJSON points on the earth. */
import type { Build, Input, Leaf } from '../model.ts'
import { fieldsOf, leafOf } from './input.ts'
import { literal, sql, type Sql } from '../../sql/sql.ts'
import { parseJsonText } from '../../values/json-data.ts'

/** A circle around a point. `limit` is the radius in kilometres, or the name of the property that contains the radius. */
export interface Circle {
  readonly point: Leaf
  readonly limit: Leaf | null
  readonly order: 'ASC' | 'DESC' | 'NONE'
}

/** Twice the mean radius of the earth, in kilometres. */
const DIAMETER = sql`12742.0176`

/** Returns the circle of a geographic condition; null when it has no point. */
export function circleOf(input: Input | undefined, point: string, limit: string): Circle | null {
  const fields = fieldsOf(input)
  const center = leafOf(fields?.[point])
  if (fields === null || center === null) return null
  const order = leafOf(fields['sort'])?.value
  return { point: center, limit: leafOf(fields[limit]), order: order === 'DESC' || order === 'NONE' ? order : 'ASC' }
}

/** Returns the distance in kilometres (haversine) between a stored and a given point; null when either is invalid. */
export function distance(json: Sql, point: Leaf, build: Build): Sql {
  const latitude = build.bind(point, 'double precision', latitudeOf)
  const longitude = build.bind(point, 'double precision', longitudeOf)
  const [y, x] = [coordinate(json, 1), coordinate(json, 0)]
  return sql`(${DIAMETER} * asin(least(1, sqrt(power(sin(radians(${y} - ${latitude}) / 2), 2) + cos(radians(${y})) *
    cos(radians(${latitude})) * power(sin(radians(${x} - ${longitude}) / 2), 2)))))`
}

/** Returns the SQL of a coordinate. It is null when the number is out of range. */
function coordinate(json: Sql, index: number): Sql {
  const part = sql`(${json} #> ${literal(`{coordinates,${index}}`)})`
  return sql`case when ${part} between '-360' and '360' and jsonb_typeof(${part}) = 'number' then ${part}::double precision end`
}

function latitudeOf(value: unknown): string | null {
  return coordinateOf(value, 1)
}

function longitudeOf(value: unknown): string | null {
  return coordinateOf(value, 0)
}

function coordinateOf(value: unknown, index: number): string | null {
  const object = typeof value === 'string' ? parseJsonText(value) : value
  if (typeof object !== 'object' || object === null || !('coordinates' in object)) return null
  const { coordinates } = object
  const part: unknown = Array.isArray(coordinates) ? coordinates[index] : null
  return typeof part === 'number' && Math.abs(part) <= 360 ? `${part}` : null
}
