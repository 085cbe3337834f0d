/**
 * Checks that values are unique: when a form is validated, and again while it is saved, under a lock that all writers
 * of the same rows take.
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

/** A query that returns no row while the value is free. */
export interface UniqueCheck {
  /** Path of the field. */
  readonly path: string
  /** Name of the lock for the rows that the check is about. */
  readonly lock: string
  readonly statement: SqlStatement
}

/** In seconds. */
const TIMEOUT = 10
/** First key of the advisory locks; the second is a hash of their names. */
const LOCK = 748_110_005
const LOCKING = prepared<[name: string]>(
  (name) => sql`select pg_advisory_xact_lock(${integer(LOCK)}, hashtext(${name}::text))::text`,
)

/** Checks the values of one form. */
export interface Uniqueness {
  readonly unique: ValidationHost['unique']
  /** The checks that were made and that no unique index of the database guarantees. */
  readonly checks: readonly UniqueCheck[]
}

/**
 * @param table of a record
 * @param stored the resource and its nested resources, which may keep their own values; null for a new one
 */
export function createUniqueness(
  query: QueryHost,
  form: FormEntry,
  table: string | null,
  stored: StoredResource | null,
): Uniqueness {
  const checks: UniqueCheck[] = []
  return {
    checks,
    async unique(path, field, value, options) {
      const check = checkOf(query, form, table, stored, path, field.name, value, options)
      if (check === null) return true
      const [row] = await query.run(check.statement, { write: false, replica: false, timeout: TIMEOUT })
      // A unique index guards users' e-mail addresses.
      if (!(form.resource === 'user' && path === 'email')) checks.push(check)
      return row === undefined
    },
  }
}

/**
 * Takes the locks of the checks and repeats them inside a transaction. Returns the path of the first value that has
 * been taken in the meantime.
 */
export async function recheck(inside: QueryHost, checks: readonly UniqueCheck[]): Promise<string | null> {
  const how = { write: true, replica: false, timeout: TIMEOUT }
  // Always in the same order, so that two writers cannot deadlock.
  for (const lock of [...new Set(checks.map((check) => check.lock))].sort()) {
    await inside.run(LOCKING(lock), how)
  }
  for (const check of checks) {
    const [row] = await inside.run(check.statement, how)
    if (row !== undefined) return check.path
  }
  return null
}

/** The rows that a path refers to. */
interface RowSource {
  readonly from: 'records' | 'users' | 'profiles'
  /** Condition besides not being deleted; null for none. */
  readonly where: Sql | null
  readonly columns: Readonly<Record<string, { readonly cast: string }>>
  readonly properties: ReadonlyMap<string, PropertyDef>
  readonly lock: string
  /** Id of the row that may keep its value. */
  readonly own: string | null
}

function checkOf(
  query: QueryHost,
  form: FormEntry,
  table: string | null,
  stored: StoredResource | null,
  path: string,
  name: string,
  value: unknown,
  options: { readonly caseSensitive: boolean; readonly scope: Readonly<Record<string, unknown>> },
): UniqueCheck | null {
  const rows = rowsOf(query, form, table, stored, path)
  if (rows === null) return null
  const conditions = [sql`t.deleted_at is null`]
  if (rows.where !== null) conditions.push(rows.where)
  const isProperty = /(?:^|\.)properties\.[^.]+$/.test(path)
  const first = condition(rows, name, isProperty, value, options.caseSensitive)
  if (first === null) return null
  conditions.push(first)
  for (const [other, of] of Object.entries(options.scope)) {
    const bare = other.replace(/^properties\./, '')
    const property = other !== bare || (!Object.hasOwn(rows.columns, bare) && rows.properties.has(bare))
    const equal = condition(rows, bare, property, of, true)
    if (equal !== null) conditions.push(equal)
  }
  if (rows.own !== null) conditions.push(sql`t.id <> ${parameter(rows.own, 'bigint')}`)
  const statement = sql`select 1 from ${relationOf(rows.from)} t where ${join(conditions, ' and ')} limit 1`
  return { path, lock: rows.lock, statement: toStatement(statement) }
}

function rowsOf(
  query: QueryHost,
  form: FormEntry,
  table: string | null,
  stored: StoredResource | null,
  path: string,
): RowSource | null {
  const { catalog } = query
  const parts = path.split('.')
  let kind = form.resource
  let name = kind === 'record' ? table : form.table
  let group: FieldGroup = form.fields
  let row: Values | null = stored
  while (parts.length > 2 && parts[0] !== 'properties') {
    const [section, member] = parts.splice(0, 2)
    const nested = group.nested.find((one) => one.kind === section && one.name === member)
    if (nested === undefined || (nested.kind !== 'profiles' && nested.kind !== 'customizations')) return null
    kind = nested.kind === 'profiles' ? 'profile' : 'record'
    name = nested.kind === 'profiles' ? nested.name : (nested.table ?? nested.name)
    group = nested.fields
    row = row?.nested[nested.kind]?.[nested.name] ?? null
  }
  const own = row !== null && 'id' in row && typeof row.id === 'string' ? row.id : null
  if (kind === 'user') {
    return {
      from: 'users',
      where: null,
      columns: USER_COLUMNS,
      properties: catalog.userProperties,
      lock: 'users',
      own,
    }
  }
  if (name === null) return null
  if (kind === 'profile') {
    const properties = catalog.profileProperties(name) ?? new Map()
    const where = sql`t.profile_type = ${literal(name)}`
    return { from: 'profiles', where, columns: {}, properties, lock: `profiles:${name}`, own }
  }
  const number = catalog.tableId(name)
  const properties = catalog.properties(name)
  if (kind !== 'record' || number === null || properties === null) return null
  const where = sql`t.table_id = ${integer(number)}`
  return { from: 'records', where, columns: RECORD_COLUMNS, properties, lock: `records:${number}`, own }
}

/** SQL condition that holds for rows with the value; null when no row can have it. */
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
    const text = storable(typeof value === 'object' ? JSON.stringify(value) : `${value as string}`)
    const folds = name === 'email' || (!caseSensitive && column.cast === 'text')
    // The index on ids holds numbers.
    if (column.cast === 'bigint' && /^\d{1,18}$/.test(text))
      return sql`t.${identifier(name)} = ${parameter(text, 'bigint')}`
    return folds
      ? sql`lower(t.${identifier(name)}) = lower(${parameter(text.trim(), 'text')})`
      : sql`t.${identifier(name)}::text = ${parameter(text, 'text')}`
  }
  const property = rows.properties.get(name)
  if (property === undefined) return null
  const text = wholeText(property, value)
  if (text === undefined) return null
  const key = sql`${literal(name)}::text`
  const whole = propertySql(sql`t.properties`, key, 'search')
  if (text === null) return sql`${whole} = ''`
  const bound = parameter(text, 'text')
  if (!caseSensitive) return sql`lower(${whole}) = lower(${bound})`
  return sql`${propertySql(sql`t.properties`, key, 'match')} = left(${bound}, ${integer(INDEXED_PREFIX)}) and ${whole} = ${bound}`
}

/** The text that the database stores for the value; null when it is cleared, undefined when it cannot be stored. */
function wholeText(property: PropertyDef, value: unknown): string | null | undefined {
  try {
    const json = storedText(property, value)
    if (json === 'null') return null
    const parsed: unknown = json.startsWith('"') ? JSON.parse(json) : json
    return typeof parsed === 'string' ? parsed : json
  } catch (error) {
    // Saving reports the error.
    if (error instanceof QueryError) return undefined
    throw error
  }
}

function storable(text: string): string {
  return replaceLoneSurrogates(text.replaceAll('\0', ''))
}
