/** JSON objects and lists of SQL expressions, with the completion of their parts. */
import { randomBytes } from 'node:crypto'
import { identifier, join, literal, emptySql, sql, type Sql } from '../../sql/sql.ts'
import {
  type Column,
  type JsonExpression,
  Leaf,
  type SourceRange,
  type ResultType,
  type RowsResult,
  type Shape,
} from '../model.ts'
import { numeral } from '../property-form.ts'
import { isObject } from '../../values/json-data.ts'

/** For JSON expressions that were composed as text: the SQL of the text. */
const texts = new WeakMap<Sql, Sql>()

/**
 * Returns the JSON of an SQL text that is valid JSON and never null. Enclosing JSON uses the text directly, so that nothing is parsed
 * twice.
 */
export function jsonFromText(text: Sql): Sql {
  return jsonFromAtom(sql`(${text})`)
}

/** Does the same as `jsonFromText`, for an SQL text that needs no parentheses. */
export function jsonFromAtom(text: Sql): Sql {
  const json = sql`${text}::json`
  texts.set(json, text)
  return json
}

/** The JSON value null. */
export const NULL_JSON = sql`null::json`
// The text is quoted, because a bare null has no type.
texts.set(NULL_JSON, sql`'null'`)

/** Returns the JSON text of an expression of any type. The result is never null. */
export function jsonText(json: Sql): Sql {
  return texts.get(json) ?? sql`coalesce(to_json(${json})::text, 'null')`
}

/** A part of an object. Its key is constant (`key`) or computed (`name`). */
export type Pair = { readonly value: Sql } & ({ readonly key: string } | { readonly name: Sql })

/**
 * Returns a JSON object with the parts in this order. It is composed as text, because `json_build_object` looks up the types of its values
 * for each row, which takes longer than finding the row.
 */
export function jsonObject(pairs: readonly Pair[]): Sql {
  if (pairs.length === 0) return jsonFromAtom(sql`'{}'`)
  const parts: Sql[] = []
  for (const [at, pair] of pairs.entries()) {
    const opening = at === 0 ? '{' : ','
    if ('key' in pair) parts.push(literal(`${opening}${JSON.stringify(pair.key)}:`))
    else parts.push(literal(opening), sql`to_json(${pair.name})::text`, sql`':'`)
    parts.push(jsonText(pair.value))
  }
  return jsonFromText(join([...parts, sql`'}'`], ' || '))
}

/** Returns a JSON list of the rows of `from …`, in their order. */
export function jsonList(row: Sql, from: Sql): Sql {
  return jsonFromText(sql`select ${listText(row)} ${from}`)
}

/**
 * Returns the SQL of an aggregate that gives the text of a JSON list.
 * @param filter the condition on the rows to include
 */
export function listText(row: Sql, filter: Sql = emptySql): Sql {
  return sql`'[' || coalesce(string_agg(${jsonText(row)}, ',')${filter}, '') || ']'`
}

/** Returns the JSON of the only row of `from …`; null when there is none. */
export function jsonRow(row: Sql, from: Sql): Sql {
  return jsonFromAtom(sql`coalesce((select ${jsonText(row)} ${from}), 'null')`)
}

/** Returns a JSON object of parts with their keys. */
export function objectJson(
  parts: readonly { readonly key: string; readonly json: JsonExpression }[],
  range: SourceRange | null,
): JsonExpression {
  const shapes = parts.filter(({ json }) => json.shape !== null).map(({ key, json }) => [key, json.shape] as const)
  return {
    sql: jsonObject(parts.map(({ key, json }) => ({ key, value: json.sql }))),
    shape: shapes.length === 0 ? null : (value, host, variables) => completeParts(value, shapes, host, variables),
    type: { kind: 'object', fields: new Map(parts.map(({ key, json }) => [key, json.type])), range, table: null },
    parts,
  }
}

/** GraphQL scalars that statements return as text. */
const TEXTS: ReadonlySet<string> = new Set(['ID', 'String', 'Date'])

/**
 * The separator of the values in a column, and the text that stands for null. Both are random in each process and never shown, so stored
 * texts do not contain them.
 */
const VALUE_SEPARATOR = randomConstant('\x1f')
const NULL_MARKER = randomConstant('\x1e')

function randomConstant(sign: string): Leaf {
  const value = `${sign}${randomBytes(6).toString('base64url')}`
  return new Leaf(value, { kind: 'constant', value }, null)
}

/**
 * Returns the rows of `from …` as a single row. It has one text for each part of `row`. The text contains the values that this part has in
 * all rows. Receiving a row costs the client far more than receiving its values. Returns null when the rows cannot be represented in this
 * way.
 */
export function rowsResult(row: JsonExpression, from: Sql, key: string): RowsResult | null {
  const { parts = [] } = row
  if (parts.length === 0 || parts.some((part) => part.key === '__proto__')) return null
  const columns = parts.map(({ key: name, json }, at) => ({ name, as: identifier(`c${at}`), ...columnOf(json) }))
  const values = join(columns.map(({ sql: value, as }) => sql`${value} as ${as}`))
  return {
    sql(build) {
      const valueSeparator = build.bind(VALUE_SEPARATOR, 'text')
      const nullMarker = build.bind(NULL_MARKER, 'text')
      const joined = columns.map(({ as }) => sql`string_agg(coalesce(${as}, ${nullMarker}), ${valueSeparator})`)
      return sql`select ${join(joined)} from (select ${values} ${from}) as q`
    },
    rowSelect: sql`select ${values} ${from}`,
    columns: columns.map(({ name, reads }): Column => ({ key: name, reads })),
    shape: row.shape,
    key,
  }
}

function columnOf(json: JsonExpression): NonNullable<JsonExpression['column']> {
  if (json.column !== undefined) return json.column
  const type = json.type.kind === 'nullable' ? json.type.inner : json.type
  if (type.kind === 'scalar' && TEXTS.has(type.name)) return { sql: sql`(${json.sql})::text`, reads: 'text' }
  return { sql: jsonText(json.sql), reads: 'json' }
}

/** Builds the objects of the rows from the result of `rowsResult`. */
export function objectsOf(joined: readonly unknown[], columns: readonly Column[]): Record<string, unknown>[] {
  // An aggregate over no rows is null.
  const filled = columns.map(({ key, reads }, at) => {
    const text = joined[at]
    return { key, reads, values: typeof text === 'string' ? text.split(VALUE_SEPARATOR_TEXT) : [] }
  })
  const objects: Record<string, unknown>[] = []
  const count = filled[0]?.values.length ?? 0
  for (let row = 0; row < count; row++) {
    const object: Record<string, unknown> = {}
    for (const { key, reads, values } of filled) {
      const value = values[row]
      if (value === undefined) throw new Error('The columns of a result differ in length.')
      object[key] = value === NULL_MARKER_TEXT ? null : reads === 'text' ? value : READERS[reads](value)
    }
    objects.push(object)
  }
  return objects
}

const VALUE_SEPARATOR_TEXT = String(VALUE_SEPARATOR.value)
const NULL_MARKER_TEXT = String(NULL_MARKER.value)

const NINE = '9'.charCodeAt(0)

const READERS = {
  json: (text: string): unknown => JSON.parse(text),
  // JSON other than numbers begins with a letter, a quote or a bracket. All of these sort after digits, except the quote.
  number: (text: string): number | null =>
    text.charCodeAt(0) > NINE ? null : text[0] === '"' ? numeral(text.slice(1, -1)) : Number(text),
}

/** Completes the parts of an object in place. The value was parsed for this result only. */
function completeParts(
  value: unknown,
  shapes: readonly (readonly [string, Shape | null])[],
  host: Parameters<Shape>[1],
  variables: Parameters<Shape>[2],
): unknown {
  if (!isObject(value)) return value ?? null
  for (const [key, shape] of shapes) if (shape !== null) value[key] = shape(value[key], host, variables)
  return value
}

/** Returns the completion of a list, given the completion of its items. */
export function listShape(shape: Shape | null): Shape | null {
  if (shape === null) return null
  return (value, host, variables) =>
    Array.isArray(value) ? value.map((item) => shape(item, host, variables)) : (value ?? null)
}

/** Returns the JSON of a text that the query determines, such as the name of a type. */
export function constantJson(text: string, type: ResultType): JsonExpression {
  return { sql: sql`${literal(text)}::text`, shape: null, type }
}
