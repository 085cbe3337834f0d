/**
 * The SQL of mapped document fields. Conditions, sorts and indexes share these expressions, so that PostgreSQL uses the indexes. The
 * expressions are immutable, and no stored value makes them fail.
 */
import type { SearchField } from '../../../page/compiled.ts'
import { INDEXED_PREFIX } from './property.ts'
import { integer, join, literal, type Sql, sql } from '../../sql/sql.ts'

/** For each type, how its values are compared as numbers; null when they are compared as texts. */
const NUMBERS: Readonly<Record<SearchField['type'], 'number' | 'time' | 'boolean' | null>> = {
  integer: 'number',
  float: 'number',
  date: 'time',
  boolean: 'boolean',
  keyword: null,
  text: null,
}

/** The SQL of a field whose values are compared as numbers. */
export interface NumberSql {
  /** Returns the `numeric` of one value that is given as text. It is null when the value does not have the type. */
  readonly value: (text: Sql) => Sql
  /** The minimum and maximum of a document's values. */
  readonly minimum: Sql
  readonly maximum: Sql
  /** All values of the document, as an array. */
  readonly values: Sql
}

/**
 * Returns the SQL of a field whose values are compared as numbers; null when they are compared as texts.
 * @param document the SQL of the document
 */
export function numberSql(document: Sql, { path, type }: SearchField): NumberSql | null {
  const kind = NUMBERS[type]
  if (kind === null) return null
  const items = itemsPath(path)
  return {
    value: (text) => sql`ingot.document_number(to_jsonb(${text}), ${literal(kind)})`,
    minimum: sql`ingot.document_edge(${document}, ${items}, ${literal(kind)}, false)`,
    maximum: sql`ingot.document_edge(${document}, ${items}, ${literal(kind)}, true)`,
    values: sql`ingot.document_numbers(${document}, ${items}, ${literal(kind)})`,
  }
}

/** Returns the sort key of a field: its minimum, or the prefix of its first text. */
export function sortKey(document: Sql, field: SearchField): Sql {
  return (
    numberSql(document, field)?.minimum ??
    sql`left(jsonb_path_query_first(${document}, ${itemsPath(field.path)}) #>> '{}', ${integer(INDEXED_PREFIX)})`
  )
}

/** Returns the expressions that precede the id in the index of a field; null when the field has no index. */
export function indexedKeys(document: Sql, field: SearchField): readonly Sql[] | null {
  if (field.type === 'text') return null
  const number = numberSql(document, field)
  return number === null ? [sortKey(document, field)] : [number.minimum, number.maximum]
}

/** Returns a document without the values at some paths. */
export function withoutPaths(document: Sql, paths: readonly (readonly string[])[]): Sql {
  const list = (keys: readonly string[]): Sql => sql`array[${join(keys.map(literal))}]`
  const keys = paths.flatMap(([key, ...below]) => (key !== undefined && below.length === 0 ? [key] : []))
  const remaining = keys.length === 0 ? document : sql`(${document} - ${list(keys)})`
  return paths
    .filter(({ length }) => length > 1)
    .reduce((expression, path) => sql`ingot.document_without(${expression}, ${list(path)})`, remaining)
}

/** Returns a path in the SQL/JSON path language of PostgreSQL. Its strings are written as in JSON. */
export function jsonPath(path: readonly string[]): string {
  return `$.${path.map((key) => JSON.stringify(key)).join('.')}`
}

function itemsPath(path: readonly string[]): Sql {
  return sql`${literal(`${jsonPath(path)}[*]`)}::jsonpath`
}
