/**
 * The SQL of a mapped field of documents: the one place that writes it. Conditions, sorts and indexes use the same expression, so
 * that PostgreSQL finds the index. No stored value makes a reading fail, and all of them are immutable.
 */
import type { SearchField } from '../../../page/compiled.ts'
import { textSql } from '../build.ts'
import { START } from './property.ts'

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
  readonly value: (text: string) => string
  /** Of the least and the greatest of a document's values. */
  readonly least: string
  readonly most: string
  /** All of them, as a list. */
  readonly all: string
}

/** Null for a field whose values compare as texts. */
export function numberSql(document: string, { path, type }: SearchField): NumberSql | null {
  const kind = NUMBERS[type]
  if (kind === null) return null
  const place = itemsAt(path)
  return {
    value: (text) => `ingot.document_number(to_jsonb(${text}), '${kind}')`,
    least: `ingot.document_edge(${document}, ${place}, '${kind}', false)`,
    most: `ingot.document_edge(${document}, ${place}, '${kind}', true)`,
    all: `ingot.document_numbers(${document}, ${place}, '${kind}')`,
  }
}

/** What a field sorts by: the least of its numbers, or the start of its first text. */
export function sortKey(document: string, field: SearchField): string {
  return (
    numberSql(document, field)?.least ??
    `left(jsonb_path_query_first(${document}, ${itemsAt(field.path)}) #>> '{}', ${START})`
  )
}

/** The expressions that an index of a field holds before the id; null for one that has none. */
export function indexedKeys(document: string, field: SearchField): readonly string[] | null {
  if (field.type === 'text') return null
  const number = numberSql(document, field)
  return number === null ? [sortKey(document, field)] : [number.least, number.most]
}

/** A document without what stands at some places. */
export function withoutPlaces(document: string, paths: readonly (readonly string[])[]): string {
  const list = (keys: readonly string[]): string => `array[${keys.map(textSql).join(', ')}]`
  const keys = paths.flatMap(([key, ...below]) => (key !== undefined && below.length === 0 ? [key] : []))
  const rest = keys.length === 0 ? document : `(${document} - ${list(keys)})`
  return paths
    .filter(({ length }) => length > 1)
    .reduce((sql, path) => `ingot.document_without(${sql}, ${list(path)})`, rest)
}

/** A place as PostgreSQL's path language has it; its strings are those of JSON. */
export function jsonPath(path: readonly string[]): string {
  return `$.${path.map((key) => JSON.stringify(key)).join('.')}`
}

function itemsAt(path: readonly string[]): string {
  return `${textSql(`${jsonPath(path)}[*]`)}::jsonpath`
}
