/** Derives indexes from the needs of queries, as few as possible, and the SQL that creates them. */
import { createHash } from 'node:crypto'
import type { DataSchema, IndexKey, IndexSpec } from '../../page/compiled.ts'
import type { Catalog, IndexNeed } from './model.ts'
import { indexedKeys } from './rows/document-field.ts'
import { type PropertySqlForm, propertySql } from './rows/property.ts'
import {
  identifier,
  integer,
  join,
  literal,
  emptySql,
  sql,
  type Sql,
  type SqlStatement,
  toStatement,
} from '../sql/sql.ts'
import { sortTerm } from './null-order.ts'

/**
 * Maximum number of indexes of each kind for one need, so that a search form with ten fields does not lead to an index
 * for each combination.
 */
const MAX_SORTED = 4
const MAX_SEARCHED = 4
/** Maximum number of equality columns. Further columns hardly improve selectivity. */
const MAX_EQUALITY_COLUMNS = 4
/** Maximum number of text columns. The prefixes of three texts always fit into an index entry. */
const MAX_TEXTS = 3

/** Returns the distinct indexes that serve the needs, in a stable order. A need that a built-in index serves adds no index. */
export function deriveIndexes(needs: readonly IndexNeed[]): IndexSpec[] {
  const specs = new Map<string, IndexSpec>()
  for (const need of needs) for (const spec of specsOf(need)) specs.set(JSON.stringify(spec), spec)
  const derivedIndexes = [...specs.values()]
  return derivedIndexes
    .filter((spec) => !derivedIndexes.some((other) => other !== spec && canReplace(other, spec)))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function specsOf(need: IndexNeed): readonly IndexSpec[] {
  if (need.rows === 'records' && need.table === null) return []
  const required = equalKeys(need, false)
  if (required.some(isId)) return []
  const optional = equalKeys(need, true).filter((key) => !required.some((other) => hasSameValues(other, key)))
  const sorted: IndexKey[][] = [orderedKeys(required, need.sort)]
  for (const key of optional) sorted.push(orderedKeys([...required, key], need.sort))
  for (const { key } of need.ranges) {
    if (!need.sort[0] || !hasSameValues(key, need.sort[0]))
      sorted.push(orderedKeys(required, [{ ...key, order: 'asc' }]))
  }
  const { table, alive } = need
  const specs = sorted
    .filter((keys) => !isBuiltIn(keys))
    .slice(0, MAX_SORTED)
    .map((keys): IndexSpec => ({ table, method: 'btree', alive, keys }))
  for (const { property } of need.elements.slice(0, MAX_SEARCHED)) {
    specs.push({ table, method: 'gin', alive, keys: [{ property, as: 'json', order: 'asc' }] })
  }
  for (const { property } of need.contains.slice(0, MAX_SEARCHED)) {
    specs.push({ table, method: 'trigram', alive, keys: [{ property, as: 'text', order: 'asc' }] })
  }
  return specs
}

/** Returns the equality keys of a need. They are sorted, so that queries that name them in another order share an index. */
function equalKeys(need: IndexNeed, optional: boolean): readonly IndexKey[] {
  const keys = new Map<string, IndexKey>()
  for (const { key, optional: may } of need.equals)
    if (may === optional) keys.set(nameOf(key), { ...key, order: 'asc' })
  return [...keys.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key)
}

/**
 * Returns the equality keys, followed by the sort keys, except keys that are already in the list. The result ends with the id, which makes
 * the order unique.
 */
function orderedKeys(equal: readonly IndexKey[], sort: readonly IndexKey[]): IndexKey[] {
  const keys = equal.slice(0, MAX_EQUALITY_COLUMNS)
  for (const key of sort) {
    if (!keys.some((other) => hasSameValues(other, key))) keys.push(key)
    if (isId(key)) break
  }
  let texts = 0
  const end = keys.findIndex((key) => (texts += textsIn(key)) > MAX_TEXTS)
  return end < 0 ? keys : keys.slice(0, end)
}

/** Returns whether a built-in index serves these keys. The columns of ids, owners and external ids have such indexes. */
function isBuiltIn(keys: readonly IndexKey[]): boolean {
  const [first, second, ...others] = keys
  if (first === undefined || isId(first)) return true
  const owned = 'column' in first && (first.column === 'user_id' || first.column === 'external_id')
  return owned && others.length === 0 && (second === undefined || isId(second))
}

function isId(key: IndexKey): boolean {
  return 'column' in key && key.column === 'id'
}

/** Returns how many text prefixes a key takes up. An external id is indexed in full and leaves no space for others. */
function textsIn(key: IndexKey): number {
  if ('column' in key) return key.column === 'external_id' ? MAX_TEXTS : 0
  return key.as === 'text' || key.as === 'match' ? 1 : 0
}

function nameOf(key: IndexKey): string {
  return 'column' in key ? `1 ${key.column}` : `2 ${key.property} ${key.as}`
}

/** Returns whether two keys have the same values. Their directions may differ. */
function hasSameValues(left: IndexKey, right: IndexKey): boolean {
  return nameOf(left) === nameOf(right)
}

/** Returns whether one index can replace another. */
function canReplace(wide: IndexSpec, narrow: IndexSpec): boolean {
  if (wide.table !== narrow.table || wide.method !== narrow.method) return false
  if (wide.alive && !narrow.alive) return false
  if (wide.keys.length < narrow.keys.length) return false
  if (wide.keys.length === narrow.keys.length && wide.alive === narrow.alive) return false
  return narrow.keys.every((key, index) => {
    const narrowKey = wide.keys[index]
    return narrowKey !== undefined && hasSameValues(key, narrowKey) && key.order === narrowKey.order
  })
}

/**
 * Returns the statement that creates an index concurrently, and the name of the index, which depends on its contents. Returns null when the site
 * does not declare the table or a property.
 */
export function createIndexSql(spec: IndexSpec, catalog: Catalog): { name: string; sql: SqlStatement } | null {
  const id = spec.table === null ? 'u' : catalog.tableId(spec.table)
  const declaredProperties = spec.table === null ? catalog.userProperties : catalog.properties(spec.table)
  if (id === null || declaredProperties === null) return null
  const parts: Sql[] = []
  for (const key of spec.keys) {
    if ('property' in key && !declaredProperties.has(key.property)) return null
    parts.push(indexKeySql(key, spec.method))
  }
  const conditions = typeof id === 'number' ? [sql`table_id = ${integer(id)}`] : []
  if (spec.alive) conditions.push(sql`deleted_at is null`)
  const rows = spec.table === null ? sql`users` : sql`records`
  const condition = conditions.length === 0 ? emptySql : sql` where ${join(conditions, ' and ')}`
  const body = sql`on ingot.${rows} using ${spec.method === 'btree' ? sql`btree` : sql`gin`} (${join(parts)})${condition}`
  return createIndexStatement(id, body)
}

/**
 * Returns the statements for indexes of search documents: one for each mapped field with a type other than text. The words of texts are
 * already indexed.
 */
export function searchIndexesSql({ searchIndexes = [] }: DataSchema): readonly { name: string; sql: SqlStatement }[] {
  return searchIndexes.flatMap(({ name, fields }) =>
    fields.flatMap((field) => {
      const keys = indexedKeys(sql`document`, field)
      if (keys === null) return []
      const parts = join([...keys.map((key) => sql`(${key})`), sql`id`])
      return [
        createIndexStatement('d', sql`on ingot.documents using btree (${parts}) where search_index = ${literal(name)}`),
      ]
    }),
  )
}

/** Creates an index specification. The name is a digest of the contents, so two indexes of the same name are equal. */
function createIndexStatement(id: number | string, body: Sql): { name: string; sql: SqlStatement } {
  const name = `ix_${id}_${createHash('sha256').update(toStatement(body).text).digest('hex').slice(0, 20)}`
  return { name, sql: toStatement(sql`create index concurrently if not exists ${identifier(name)} ${body}`) }
}

function indexKeySql(key: IndexKey, method: IndexSpec['method']): Sql {
  if ('column' in key) return sortTerm(identifier(key.column), key.order)
  const form: PropertySqlForm = method === 'trigram' ? 'search' : key.as
  const expression = sql`(${propertySql(sql`properties`, literal(key.property), form)})`
  if (method === 'trigram') return sql`${expression} gin_trgm_ops`
  return method === 'btree' ? sortTerm(expression, key.order) : expression
}
