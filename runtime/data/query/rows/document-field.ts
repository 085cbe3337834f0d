/**
 * The SQL of a mapped field of documents: the one place that writes it. Conditions, sorts and indexes use the same expression, so
 * that PostgreSQL finds the index. No stored value makes a reading fail, and all of them are immutable.
 */
import type { SearchField } from '../../../page/compiled.ts'
import { START } from './property.ts'
import { integer, join, literal, type Sql, sql } from '../../sql/sql.ts'

/** What the values of a type compare as, where that is a number. */
const NUMBERS: Readonly<Record<SearchField['type'], 'number' | 'time' | 'boolean' | null>> = {
  integer: 'number',
  float: 'number',
  date: 'time',
  boolean: 'boolean',
  keyword: null,
  text: null,
}

/** A field whose values compare as numbers. `document` is the SQL of a document, as in the functions below. */
export interface NumberSql {
  /** Of one value as text: a `numeric`, null where it is none of the type. */
  readonly value: (text: Sql) => Sql
  /** Of the least and the greatest of a document's values. */
  readonly least: Sql
  readonly most: Sql
  /** All of them, as a list. */
  readonly all: Sql
}

/** Null for a field whose values compare as texts. */
export function numberSql(document: Sql, { path, type }: SearchField): NumberSql | null {
  const kind = NUMBERS[type]
  if (kind === null) return null
  const place = itemsAt(path)
  return {
    value: (text) => sql`ingot.document_number(to_jsonb(${text}), ${literal(kind)})`,
    least: sql`ingot.document_edge(${document}, ${place}, ${literal(kind)}, false)`,
    most: sql`ingot.document_edge(${document}, ${place}, ${literal(kind)}, true)`,
    all: sql`ingot.document_numbers(${document}, ${place}, ${literal(kind)})`,
  }
}

/** What a field sorts by: the least of its numbers, or the start of its first text. */
export function sortKey(document: Sql, field: SearchField): Sql {
  return (
    numberSql(document, field)?.least ??
    sql`left(jsonb_path_query_first(${document}, ${itemsAt(field.path)}) #>> '{}', ${integer(START)})`
  )
}

/** The expressions that an index of a field holds before the id; null for one that has none. */
export function indexedKeys(document: Sql, field: SearchField): readonly Sql[] | null {
  if (field.type === 'text') return null
  const number = numberSql(document, field)
  return number === null ? [sortKey(document, field)] : [number.least, number.most]
}

/** A document without what stands at some places. */
export function withoutPlaces(document: Sql, paths: readonly (readonly string[])[]): Sql {
  const list = (keys: readonly string[]): Sql => sql`array[${join(keys.map(literal))}]`
  const keys = paths.flatMap(([key, ...below]) => (key !== undefined && below.length === 0 ? [key] : []))
  const rest = keys.length === 0 ? document : sql`(${document} - ${list(keys)})`
  return paths
    .filter(({ length }) => length > 1)
    .reduce((expression, path) => sql`ingot.document_without(${expression}, ${list(path)})`, rest)
}

/** A place as PostgreSQL's path language has it; its strings are those of JSON. */
export function jsonPath(path: readonly string[]): string {
  return `$.${path.map((key) => JSON.stringify(key)).join('.')}`
}

function itemsAt(path: readonly string[]): Sql {
  return sql`${literal(`${jsonPath(path)}[*]`)}::jsonpath`
}
