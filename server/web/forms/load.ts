/** Loads a form's resource and its nested resources with one statement. */
import {
  identifier,
  integer,
  join,
  literal,
  emptySql,
  parameter,
  sql,
  type Sql,
  toStatement,
} from '../../../runtime/data/sql/sql.ts'
import type { StoredResource } from '../../../runtime/data/forms/model.ts'
import { QueryError } from '../../../runtime/data/query/model.ts'
import type { QueryHost } from '../../../runtime/data/query/host.ts'
import type { FieldGroup, FormEntry, NestedGroup } from '../../../runtime/page/site.ts'
import { ownColumnsObject } from '../../../runtime/data/query/rows/own-columns.ts'
import { idText } from '../../../runtime/data/query/rows/comparison-values.ts'
import { USER_TEXTS } from '../../../runtime/data/values/user-columns.ts'
import { ADDRESS_FIELDS } from './attributes.ts'

/** Timeout of the statement in seconds. */
const TIMEOUT = 10

const COLUMNS = {
  record: ['external_id', 'customizable_id', 'customizable_type', 'created_at', 'updated_at', 'deleted_at', 'name'],
  user: [...USER_TEXTS, 'featured', 'public_profile', 'created_at', 'updated_at'],
} as const

/** Stored type names of the owners of nested resources. */
export type OwnerType = 'Record' | 'User' | 'UserProfile'

/** The stored owner type of nested records, by the type of their owner. */
export const CUSTOMIZABLE_TYPES: Readonly<Record<OwnerType, string>> = {
  Record: 'Customization',
  User: 'User',
  UserProfile: 'UserProfile',
}

/** A stored resource. Its nested resources have ids too. */
export interface Resource extends StoredResource {
  /** The table of a record; null for other resources. */
  readonly table: string | null
}

/**
 * Loads an existing resource by id. Returns null when there is none. The id may be any input.
 * @param table restricts records to this table; null accepts any table
 * @throws QueryError with the database's error
 */
export async function loadResource(
  query: QueryHost,
  form: FormEntry,
  id: unknown,
  table: string | null,
): Promise<Resource | null> {
  const validId = idText(id)
  if (validId === null || form.resource === 'session') return null
  const statement = buildStatement(query, form, table, validId)
  if (statement === null) return null
  const [row] = await query.run(toStatement(statement), { write: false, replica: false, timeout: TIMEOUT })
  if (row === undefined) return null
  const value = row[0]
  const loaded: LoadedRow = typeof value === 'string' ? JSON.parse(value) : value
  const number = loaded.table_id ?? null
  return { ...toResource(loaded), table: number === null ? null : query.catalog.tableName(number) }
}

/** A row as the statement returns it. */
interface LoadedRow {
  readonly id: string
  /** Table id, for records only. */
  readonly user_id: string | null
  /** Table id of a record; absent for other resources. */
  readonly table_id?: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly properties: Readonly<Record<string, unknown>> | null
  readonly nested: Readonly<Record<string, Readonly<Record<string, LoadedRow | null>>>>
}

function toResource(row: LoadedRow): StoredResource {
  const nested: Record<string, Record<string, StoredResource>> = {}
  for (const [kind, group] of Object.entries(row.nested)) {
    const resources = Object.entries(group).flatMap(([name, each]) =>
      each === null ? [] : [[name, toResource(each)] as const],
    )
    nested[kind] = Object.fromEntries(resources)
  }
  return {
    id: row.id,
    userId: row.user_id,
    attributes: row.attributes,
    properties: row.properties ?? {},
    nested,
  }
}

function buildStatement(query: QueryHost, form: FormEntry, table: string | null, id: string): Sql | null {
  const { catalog } = query
  const condition = sql`t.id = ${parameter(id, 'bigint')} and t.deleted_at is null`
  if (form.resource === 'user') {
    const object = rowJson({ alias: 't', columns: COLUMNS.user, user: sql`t.id`, owner: 'User' }, form.fields, query)
    return sql`select ${object} from ingot.users t where ${condition}`
  }
  if (form.resource === 'profile') {
    const object = rowJson({ alias: 't', columns: [], user: sql`t.user_id`, owner: 'UserProfile' }, form.fields, query)
    const typeCondition = form.table === null ? emptySql : sql` and t.profile_type = ${literal(form.table)}`
    return sql`select ${object} from ingot.profiles t where ${condition}${typeCondition}`
  }
  const row: Row = { alias: 't', columns: COLUMNS.record, user: sql`t.user_id`, owner: 'Record', table }
  const rowObject = rowJson(row, form.fields, query)
  const tableId = table === null ? null : catalog.tableId(table)
  if (table !== null && tableId === null) return null
  const tableCondition = tableId === null ? emptySql : sql` and t.table_id = ${integer(tableId)}`
  return sql`select ${rowObject} from ingot.records t where ${condition}${tableCondition}`
}

/** A row to select as JSON. */
interface Row {
  readonly alias: string
  readonly columns: readonly string[]
  /** SQL of the row's user id. */
  readonly user: Sql
  readonly owner: OwnerType
  /** For records: the table, or null for any table. */
  readonly table?: string | null
}

function rowJson({ alias, columns, user, owner, table = null }: Row, group: FieldGroup, query: QueryHost): Sql {
  const row = identifier(alias)
  const pairs = columns.map((name) => sql`${literal(name)}, ${columnJson(row, name)}`)
  if (columns.includes('external_id')) pairs.push(sql`'id', ${row}.id::text`)
  const isRecord = owner === 'Record'
  const rows = isRecord ? 'records' : owner === 'User' ? 'users' : 'profiles'
  const ownColumnsSql = ownColumnsObject({ rows, alias: row, tables: table === null ? null : [table] }, query.catalog)
  if (isRecord) pairs.push(sql`'user_id', ${row}.user_id::text`)
  const kinds = new Map<string, Sql[]>()
  for (const [index, nested] of group.nested.entries()) {
    const member = sql`${literal(nested.name)}, ${nestedJson(`${alias}_${index}`, row, nested, owner, query)}`
    kinds.set(nested.kind, [...(kinds.get(nested.kind) ?? []), member])
  }
  const nestedMembers = [...kinds].map(([kind, each]) => sql`${literal(kind)}, json_build_object(${join(each)})`)
  return sql`json_build_object('id', ${row}.id::text, 'user_id', (${user})::text,
    ${isRecord ? sql`'table_id', ${row}.table_id, ` : emptySql}'attributes', json_build_object(${join(pairs)}),
    'properties', ${row}.properties${ownColumnsSql === null ? emptySql : sql` || ${ownColumnsSql}`}, 'nested', json_build_object(${join(nestedMembers)}))`
}

const TIME_COLUMNS = new Set(['created_at', 'updated_at', 'deleted_at'])

function columnJson(row: Sql, name: string): Sql {
  const column = sql`${row}.${identifier(name)}`
  if (TIME_COLUMNS.has(name)) return sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return name === 'customizable_id' ? sql`${column}::text` : column
}

/** Returns SQL for the JSON of a nested resource, or null for a missing one. */
function nestedJson(alias: string, owner: Sql, nested: NestedGroup, type: OwnerType, query: QueryHost): Sql {
  const row = identifier(alias)
  const matchesOwner = sql`${row}.owner_type = ${literal(type)} and ${row}.owner_id = ${owner}.id and ${row}.name = ${literal(nested.name)}`
  switch (nested.kind) {
    case 'profiles': {
      const nestedRow: Row = { alias, columns: [], user: sql`${row}.user_id`, owner: 'UserProfile' }
      return sql`(select ${rowJson(nestedRow, nested.fields, query)} from ingot.profiles ${row} where ${row}.user_id = ${owner}.id
        and ${row}.profile_type = ${literal(nested.name)} and ${row}.deleted_at is null)`
    }
    case 'customizations': {
      const table = nested.table ?? nested.name
      const nestedRow: Row = { alias, columns: COLUMNS.record, user: sql`${row}.user_id`, owner: 'Record', table }
      return sql`(select ${rowJson(nestedRow, nested.fields, query)} from ingot.records ${row}
        where ${nestedRecordCondition(row, owner, nested, type, query)})`
    }
    case 'custom_addresses': {
      const fields = ADDRESS_FIELDS.map((name) => sql`${literal(name)}, ${row}.fields -> ${literal(name)}`)
      return sql`(select json_build_object('id', ${row}.id::text, 'user_id', null, 'attributes', json_build_object(${join(fields)}),
        'properties', null, 'nested', json_build_object()) from ingot.addresses ${row}
        where ${matchesOwner})`
    }
    default: {
      const kind = nested.kind === 'custom_images' ? sql`'image'` : sql`'attachment'`
      return sql`(select json_build_object('id', ${row}.id::text, 'user_id', null,
        'attributes', json_build_object(${kind}, ${row}.file, 'file', ${row}.file),
        'properties', null, 'nested', json_build_object()) from ingot.attachments ${row} where ${row}.kind = ${kind}
        and ${matchesOwner})`
    }
  }
}

/**
 * Returns the condition that selects a nested record: the oldest record of its table below its owner that is not
 * deleted.
 */
export function nestedRecordCondition(
  row: Sql,
  owner: Sql,
  nested: NestedGroup,
  type: OwnerType,
  query: QueryHost,
): Sql {
  return sql`${row}.id = (select min(o.id) from ingot.records o where o.customizable_type = ${literal(CUSTOMIZABLE_TYPES[type])}
    and o.customizable_id = ${owner}.id and o.table_id = ${integer(nestedTableId(nested, query))} and o.deleted_at is null)`
}

/**
 * Returns the id of a nested record's table.
 * @throws QueryError when the site has no such table
 */
export function nestedTableId(nested: NestedGroup, query: QueryHost): number {
  const name = nested.table ?? nested.name
  const id = query.catalog.tableId(name)
  if (id !== null) return id
  const message = `There is no table \`${name}\`.`
  throw new QueryError([
    { code: 'unknown-table', message, range: null, hint: null, mistake: { kind: 'unknown table', name } },
  ])
}
