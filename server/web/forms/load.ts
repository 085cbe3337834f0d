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

/** In seconds. */
const TIMEOUT = 10

const COLUMNS = {
  record: ['external_id', 'customizable_id', 'customizable_type', 'created_at', 'updated_at', 'deleted_at', 'name'],
  user: [...USER_TEXTS, 'featured', 'public_profile', 'created_at', 'updated_at'],
} as const

/** Stored types of the owners of nested resources. */
export type OwnerType = 'Record' | 'User' | 'UserProfile'

/** The stored owner type of nested records, by the type of their owner. */
export const CUSTOMIZABLE: Readonly<Record<OwnerType, string>> = {
  Record: 'Customization',
  User: 'User',
  UserProfile: 'UserProfile',
}

/** A stored resource. Its nested resources have ids too. */
export interface Resource extends StoredResource {
  /** For records only. */
  readonly table: string | null
}

/**
 * Loads an existing resource by its id, which is unchecked input; null when there is none.
 * @param table restricts records to this table; null accepts any
 * @throws QueryError the database's error
 */
export async function loadResource(
  query: QueryHost,
  form: FormEntry,
  id: unknown,
  table: string | null,
): Promise<Resource | null> {
  const known = idText(id)
  if (known === null || form.resource === 'session') return null
  const statement = statementOf(query, form, table, known)
  if (statement === null) return null
  const [row] = await query.run(toStatement(statement), { write: false, replica: false, timeout: TIMEOUT })
  if (row === undefined) return null
  const json = row[0]
  const loaded = typeof json === 'string' ? (JSON.parse(json) as LoadedRow) : (json as LoadedRow)
  const number = loaded.table_id ?? null
  return { ...storedOf(loaded), table: number === null ? null : query.catalog.tableName(number) }
}

/** A row as the statement returns it. */
interface LoadedRow {
  readonly id: string
  readonly user_id: string | null
  /** For records only. */
  readonly table_id?: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly properties: Readonly<Record<string, unknown>> | null
  readonly nested: Readonly<Record<string, Readonly<Record<string, LoadedRow | null>>>>
}

function storedOf(row: LoadedRow): StoredResource {
  const nested: Record<string, Record<string, StoredResource>> = {}
  for (const [kind, group] of Object.entries(row.nested)) {
    const selections = Object.entries(group).flatMap(([name, each]) =>
      each === null ? [] : [[name, storedOf(each)] as const],
    )
    nested[kind] = Object.fromEntries(selections)
  }
  return {
    id: row.id,
    userId: row.user_id,
    attributes: row.attributes,
    properties: row.properties ?? {},
    nested,
  }
}

function statementOf(query: QueryHost, form: FormEntry, table: string | null, id: string): Sql | null {
  const { catalog } = query
  const selections = sql`t.id = ${parameter(id, 'bigint')} and t.deleted_at is null`
  if (form.resource === 'user') {
    const object = rowJson({ alias: 't', columns: COLUMNS.user, user: sql`t.id`, owner: 'User' }, form.fields, query)
    return sql`select ${object} from ingot.users t where ${selections}`
  }
  if (form.resource === 'profile') {
    const object = rowJson({ alias: 't', columns: [], user: sql`t.user_id`, owner: 'UserProfile' }, form.fields, query)
    const typed = form.table === null ? emptySql : sql` and t.profile_type = ${literal(form.table)}`
    return sql`select ${object} from ingot.profiles t where ${selections}${typed}`
  }
  const row: Row = { alias: 't', columns: COLUMNS.record, user: sql`t.user_id`, owner: 'Record', table }
  const object = rowJson(row, form.fields, query)
  const number = table === null ? null : catalog.tableId(table)
  if (table !== null && number === null) return null
  const ofTable = number === null ? emptySql : sql` and t.table_id = ${integer(number)}`
  return sql`select ${object} from ingot.records t where ${selections}${ofTable}`
}

/** A row to load as JSON. */
interface Row {
  readonly alias: string
  readonly columns: readonly string[]
  /** The user id of the row. */
  readonly user: Sql
  readonly owner: OwnerType
  /** For records: the table, or null for any. */
  readonly table?: string | null
}

function rowJson({ alias, columns, user, owner, table = null }: Row, group: FieldGroup, query: QueryHost): Sql {
  const row = identifier(alias)
  const pairs = columns.map((name) => sql`${literal(name)}, ${columnJson(row, name)}`)
  if (columns.includes('external_id')) pairs.push(sql`'id', ${row}.id::text`)
  const isRecord = owner === 'Record'
  const rows = isRecord ? 'records' : owner === 'User' ? 'users' : 'profiles'
  const own = ownColumnsObject({ rows, alias: row, tables: table === null ? null : [table] }, query.catalog)
  if (isRecord) pairs.push(sql`'user_id', ${row}.user_id::text`)
  const kinds = new Map<string, Sql[]>()
  for (const [index, nested] of group.nested.entries()) {
    const one = sql`${literal(nested.name)}, ${nestedJson(`${alias}_${index}`, row, nested, owner, query)}`
    kinds.set(nested.kind, [...(kinds.get(nested.kind) ?? []), one])
  }
  const nested = [...kinds].map(([kind, each]) => sql`${literal(kind)}, json_build_object(${join(each)})`)
  return sql`json_build_object('id', ${row}.id::text, 'user_id', (${user})::text,
    ${isRecord ? sql`'table_id', ${row}.table_id, ` : emptySql}'attributes', json_build_object(${join(pairs)}),
    'properties', ${row}.properties${own === null ? emptySql : sql` || ${own}`}, 'nested', json_build_object(${join(nested)}))`
}

const TIMES = new Set(['created_at', 'updated_at', 'deleted_at'])

function columnJson(row: Sql, name: string): Sql {
  const column = sql`${row}.${identifier(name)}`
  if (TIMES.has(name)) return sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return name === 'customizable_id' ? sql`${column}::text` : column
}

/** JSON of the resources nested below a row, by name; null for missing ones. */
function nestedJson(alias: string, owner: Sql, nested: NestedGroup, type: OwnerType, query: QueryHost): Sql {
  const row = identifier(alias)
  const named = sql`${row}.owner_type = ${literal(type)} and ${row}.owner_id = ${owner}.id and ${row}.name = ${literal(nested.name)}`
  switch (nested.kind) {
    case 'profiles': {
      const shown: Row = { alias, columns: [], user: sql`${row}.user_id`, owner: 'UserProfile' }
      return sql`(select ${rowJson(shown, nested.fields, query)} from ingot.profiles ${row} where ${row}.user_id = ${owner}.id
        and ${row}.profile_type = ${literal(nested.name)} and ${row}.deleted_at is null)`
    }
    case 'customizations': {
      const table = nested.table ?? nested.name
      const shown: Row = { alias, columns: COLUMNS.record, user: sql`${row}.user_id`, owner: 'Record', table }
      return sql`(select ${rowJson(shown, nested.fields, query)} from ingot.records ${row}
        where ${nestedRecordCondition(row, owner, nested, type, query)})`
    }
    case 'custom_addresses': {
      const fields = ADDRESS_FIELDS.map((name) => sql`${literal(name)}, ${row}.fields -> ${literal(name)}`)
      return sql`(select json_build_object('id', ${row}.id::text, 'user_id', null, 'attributes', json_build_object(${join(fields)}),
        'properties', null, 'nested', json_build_object()) from ingot.addresses ${row}
        where ${named})`
    }
    default: {
      const kind = nested.kind === 'custom_images' ? sql`'image'` : sql`'attachment'`
      return sql`(select json_build_object('id', ${row}.id::text, 'user_id', null,
        'attributes', json_build_object(${kind}, ${row}.file, 'file', ${row}.file),
        'properties', null, 'nested', json_build_object()) from ingot.attachments ${row} where ${row}.kind = ${kind}
        and ${named})`
    }
  }
}

/** Condition that selects a nested record: the oldest one of its table below its owner that is not deleted. */
export function nestedRecordCondition(
  row: Sql,
  owner: Sql,
  nested: NestedGroup,
  type: OwnerType,
  query: QueryHost,
): Sql {
  return sql`${row}.id = (select min(o.id) from ingot.records o where o.customizable_type = ${literal(CUSTOMIZABLE[type])}
    and o.customizable_id = ${owner}.id and o.table_id = ${integer(tableNumber(nested, query))} and o.deleted_at is null)`
}

/**
 * Id of the table of a nested record.
 * @throws QueryError when the site has no such table
 */
export function tableNumber(nested: NestedGroup, query: QueryHost): number {
  const name = nested.table ?? nested.name
  const id = query.catalog.tableId(name)
  if (id !== null) return id
  const message = `There is no table \`${name}\`.`
  throw new QueryError([{ code: 'unknown-table', message, at: null, hint: null }])
}
