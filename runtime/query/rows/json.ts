/** JSON objects and lists of SQL expressions, with what is left to do to their parts. */
import type { Json, Place, ResultType, Shape } from '../model.ts'

/** PostgreSQL takes 100 arguments. */
const MOST_PAIRS = 50

/** SQL of a JSON object of names (SQL texts) and values, in this order, whatever their number. */
export function jsonObject(pairs: readonly { readonly name: string; readonly value: string }[]): string {
  if (pairs.length <= MOST_PAIRS) {
    return `json_build_object(${pairs.map(({ name, value }) => `${name}, ${value}`).join(', ')})`
  }
  const rows = pairs.map(({ name, value }) => `(${name}, to_json(${value}))`)
  return `(select json_object_agg(k, v) from (values ${rows.join(', ')}) o(k, v))`
}

/** Text as SQL: keys of results are names of GraphQL, letters and digits only. */
export function keySql(key: string): string {
  return `'${key}'`
}

/** An object of keyed parts. */
export function objectJson(parts: readonly { readonly key: string; readonly json: Json }[], at: Place | null): Json {
  const shapes = parts.filter(({ json }) => json.shape !== null).map(({ key, json }) => [key, json.shape] as const)
  return {
    sql: jsonObject(parts.map(({ key, json }) => ({ name: keySql(key), value: json.sql }))),
    shape: shapes.length === 0 ? null : (value, host) => shaped(value, shapes, host),
    type: { kind: 'object', fields: new Map(parts.map(({ key, json }) => [key, json.type])), at, table: null },
  }
}

// The value was made by parsing JSON for us alone: it is changed in place.
function shaped(
  value: unknown,
  shapes: readonly (readonly [string, Shape | null])[],
  host: Parameters<Shape>[1],
): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null
  const object = value as Record<string, unknown>
  for (const [key, shape] of shapes) if (shape !== null) object[key] = shape(object[key], host)
  return object
}

/** The shape of a list by that of its items. */
export function listShape(shape: Shape | null): Shape | null {
  if (shape === null) return null
  return (value, host) => (Array.isArray(value) ? value.map((item) => shape(item, host)) : (value ?? null))
}

/** JSON of a text that the query makes known: the name of a type. */
export function constantJson(text: string, type: ResultType): Json {
  return { sql: `'${text}'::text`, shape: null, type }
}
