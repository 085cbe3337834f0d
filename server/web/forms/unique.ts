/**
 * Checks that values are unique. The check runs when a form is validated, and again while it is saved, under a lock
 * that all writers of the same rows take.
 */
import {
  identifier,
  integer,
  join,
  literal,
  parameter,
  prepared,
  sql,
  type Sql,
  type SqlStatement,
  toStatement,
} from '../../../runtime/data/sql/sql.ts'
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import type { ValidationHost, StoredResource, Values } from '../../../runtime/data/forms/model.ts'
import type { QueryHost } from '../../../runtime/data/query/host.ts'
import { QueryError } from '../../../runtime/data/query/model.ts'
import { propertySql, INDEXED_PREFIX } from '../../../runtime/data/query/rows/property.ts'
import { relationOf } from '../../../runtime/data/query/rows/scope.ts'
import { storedText } from '../../../runtime/data/query/writes/stored-values.ts'
import type { FieldGroup, FormEntry } from '../../../runtime/page/site.ts'
import { replaceLoneSurrogates } from '../../../runtime/page/values/well-formed.ts'
import { RECORD_COLUMNS, USER_COLUMNS } from './attributes.ts'

/** A uniqueness check. Its query returns no row while the value is available. */
export interface UniqueCheck {
  /** Path of the field. */
  readonly path: string
  /** Name of the lock for the checked rows. */
  readonly lock: string
  readonly statement: SqlStatement
}

/** Timeout of a query in seconds. */
const TIMEOUT = 10
/** First key of the advisory locks. The second key is a hash of the lock's name. */
const LOCK_KEY = 748_110_005
const TAKE_LOCK = prepared<[name: string]>(
  (name) => sql`select pg_advisory_xact_lock(${integer(LOCK_KEY)}, hashtext(${name}::text))::text`,
)

/** The uniqueness checks of one form submission. */
export interface Uniqueness {
  readonly unique: ValidationHost['unique']
  /** The executed checks that are not guaranteed by a unique index. */
  readonly checks: readonly UniqueCheck[]
}

/**
 * Creates the uniqueness checks.
 * @param table the table of a record
 * @param storedResource the resource and its nested resources, which may keep their values; null for a new resource
 */
export function createUniqueness(
  query: QueryHost,
  form: FormEntry,
  table: string | null,
  storedResource: StoredResource | null,
): Uniqueness {
  const checks: UniqueCheck[] = []
  return {
    checks,
    async unique(path, field, value, options) {
      const check = createCheck(query, form, table, storedResource, path, field.name, value, options)
      if (check === null) return true
      const [row] = await query.run(check.statement, { write: false, replica: false, timeout: TIMEOUT })
      // A unique index guarantees unique email addresses of users.
      if (!(form.resource === 'user' && path === 'email')) checks.push(check)
      return row === undefined
    },
  }
}

/**
 * Takes the locks of the checks and repeats the checks inside a transaction. Returns the path of the first value that
 * has been taken since the first check, or null.
 */
export async function recheck(transaction: QueryHost, checks: readonly UniqueCheck[]): Promise<string | null> {
  const options = { write: true, replica: false, timeout: TIMEOUT }
  // The order is always the same, so that two writers cannot deadlock.
  for (const lock of [...new Set(checks.map((check) => check.lock))].sort()) {
    await transaction.run(TAKE_LOCK(lock), options)
  }
  for (const check of checks) {
    const [row] = await transaction.run(check.statement, options)
    if (row !== undefined) return check.path
  }
  return null
}

/** The rows among which the value of a path must be unique. */
interface RowSource {
  readonly from: 'records' | 'users' | 'profiles'
  /** Further condition for rows that are not deleted; null for none. */
  readonly condition: Sql | null
  readonly columns: Readonly<Record<string, { readonly cast: string }>>
  readonly properties: ReadonlyMap<string, PropertyDef>
  readonly lock: string
  /** Id of the row that may keep its value; null for a new row. */
  readonly ownId: string | null
}

function createCheck(
  query: QueryHost,
  form: FormEntry,
  table: string | null,
  storedResource: StoredResource | null,
  path: string,
  name: string,
  value: unknown,
  options: { readonly caseSensitive: boolean; readonly scope: Readonly<Record<string, unknown>> },
): UniqueCheck | null {
  const rows = findRowSource(query, form, table, storedResource, path)
  if (rows === null) return null
  const conditions = [sql`t.deleted_at is null`]
  if (rows.condition !== null) conditions.push(rows.condition)
  const isProperty = /(?:^|\.)properties\.[^.]+$/.test(path)
  const valueCondition = condition(rows, name, isProperty, value, options.caseSensitive)
  if (valueCondition === null) return null
  conditions.push(valueCondition)
  for (const [other, scopeValue] of Object.entries(options.scope)) {
    const fieldName = other.replace(/^properties\./, '')
    const isScopeProperty =
      other !== fieldName || (!Object.hasOwn(rows.columns, fieldName) && rows.properties.has(fieldName))
    const scopeCondition = condition(rows, fieldName, isScopeProperty, scopeValue, true)
    if (scopeCondition !== null) conditions.push(scopeCondition)
  }
  if (rows.ownId !== null) conditions.push(sql`t.id <> ${parameter(rows.ownId, 'bigint')}`)
  const statement = sql`select 1 from ${relationOf(rows.from)} t where ${join(conditions, ' and ')} limit 1`
  return { path, lock: rows.lock, statement: toStatement(statement) }
}

function findRowSource(
  query: QueryHost,
  form: FormEntry,
  table: string | null,
  storedResource: StoredResource | null,
  path: string,
): RowSource | null {
  const { catalog } = query
  const segments = path.split('.')
  let kind = form.resource
  let name = kind === 'record' ? table : form.table
  let group: FieldGroup = form.fields
  let row: Values | null = storedResource
  while (segments.length > 2 && segments[0] !== 'properties') {
    const [section, member] = segments.splice(0, 2)
    const nested = group.nested.find((one) => one.kind === section && one.name === member)
    if (nested === undefined || (nested.kind !== 'profiles' && nested.kind !== 'customizations')) return null
    kind = nested.kind === 'profiles' ? 'profile' : 'record'
    name = nested.kind === 'profiles' ? nested.name : (nested.table ?? nested.name)
    group = nested.fields
    row = row?.nested[nested.kind]?.[nested.name] ?? null
  }
  const ownId = row !== null && 'id' in row && typeof row.id === 'string' ? row.id : null
  if (kind === 'user') {
    return {
      from: 'users',
      condition: null,
      columns: USER_COLUMNS,
      properties: catalog.userProperties,
      lock: 'users',
      ownId,
    }
  }
  if (name === null) return null
  if (kind === 'profile') {
    const properties = catalog.profileProperties(name) ?? new Map()
    const condition = sql`t.profile_type = ${literal(name)}`
    return { from: 'profiles', condition, columns: {}, properties, lock: `profiles:${name}`, ownId }
  }
  const tableId = catalog.tableId(name)
  const properties = catalog.properties(name)
  if (kind !== 'record' || tableId === null || properties === null) return null
  const condition = sql`t.table_id = ${integer(tableId)}`
  return { from: 'records', condition, columns: RECORD_COLUMNS, properties, lock: `records:${tableId}`, ownId }
}

/** Returns the SQL condition for rows with this value, or null when no row can have it. */
function condition(
  rows: RowSource,
  name: string,
  isProperty: boolean,
  value: unknown,
  caseSensitive: boolean,
): Sql | null {
  if (!isProperty || rows.properties.get(name)?.column === true) {
    const column = Object.hasOwn(rows.columns, name) ? rows.columns[name] : undefined
    if (column === undefined) return null
    if (value === null || value === undefined) return sql`t.${identifier(name)} is null`
    const text = toStorable(typeof value === 'object' ? JSON.stringify(value) : String(value))
    const ignoresCase = name === 'email' || (!caseSensitive && column.cast === 'text')
    // Ids are compared as numbers, because the index contains numbers.
    if (column.cast === 'bigint' && /^\d{1,18}$/.test(text))
      return sql`t.${identifier(name)} = ${parameter(text, 'bigint')}`
    return ignoresCase
      ? sql`lower(t.${identifier(name)}) = lower(${parameter(text.trim(), 'text')})`
      : sql`t.${identifier(name)}::text = ${parameter(text, 'text')}`
  }
  const property = rows.properties.get(name)
  if (property === undefined) return null
  const storedValue = toStoredText(property, value)
  if (storedValue === undefined) return null
  const key = sql`${literal(name)}::text`
  const column = propertySql(sql`t.properties`, key, 'search')
  if (storedValue === null) return sql`${column} = ''`
  const textParameter = parameter(storedValue, 'text')
  if (!caseSensitive) return sql`lower(${column}) = lower(${textParameter})`
  return sql`${propertySql(sql`t.properties`, key, 'match')} = left(${textParameter}, ${integer(INDEXED_PREFIX)}) and ${column} = ${textParameter}`
}

/**
 * Returns the text that the database stores for a value. Returns null for a cleared value and undefined for a value
 * that cannot be stored.
 */
function toStoredText(property: PropertyDef, value: unknown): string | null | undefined {
  try {
    const json = storedText(property, value)
    if (json === 'null') return null
    const parsed: unknown = json.startsWith('"') ? JSON.parse(json) : json
    return typeof parsed === 'string' ? parsed : json
  } catch (error) {
    // `save` reports the error with its path.
    if (error instanceof QueryError) return undefined
    throw error
  }
}

function toStorable(text: string): string {
  return replaceLoneSurrogates(text.replaceAll('\0', ''))
}
