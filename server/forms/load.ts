/** Loads the resource of a form, with what its form nests: one statement. */
import type { StoredResource } from '../../runtime/data/forms/model.ts'
import { QueryError } from '../../runtime/data/query/model.ts'
import type { QueryHost } from '../../runtime/data/query/host.ts'
import type { FieldGroup, FormEntry, NestedGroup } from '../../runtime/page/site.ts'
import { ownObject } from '../../runtime/data/query/rows/own-columns.ts'
import { idText } from '../../runtime/data/query/rows/values.ts'
import { USER_TEXTS } from '../../runtime/data/values/user-columns.ts'
import { ADDRESS_FIELDS } from './attributes.ts'

/** Seconds. */
const TIMEOUT = 10

const COLUMNS = {
  record: ['external_id', 'customizable_id', 'customizable_type', 'created_at', 'updated_at', 'deleted_at', 'name'],
  user: [...USER_TEXTS, 'featured', 'public_profile', 'created_at', 'updated_at'],
} as const

/** Owner types of what hangs on a row, as stored. */
export type OwnerType = 'Record' | 'User' | 'UserProfile'

/** What nested records say that they belong to, by the type of their owner. */
export const CUSTOMIZABLE: Readonly<Record<OwnerType, string>> = {
  Record: 'Customization',
  User: 'User',
  UserProfile: 'UserProfile',
}

/** A resource as it is stored. What is nested in it has ids too. */
export interface Resource extends StoredResource {
  /** Of a record. */
  readonly table: string | null
}

/**
 * The living resource of an id, null where there is none. `id` is whatever a stranger sent.
 * @param table of a record: one of another table is not there; null takes any
 * @throws QueryError what the database says
 */
export async function loadResource(
  query: QueryHost,
  form: FormEntry,
  id: unknown,
  table: string | null,
): Promise<Resource | null> {
  const known = idText(id)
  if (known === null || form.resource === 'session') return null
  const values: unknown[] = [known]
  const text = statementOf(query, form, table)
  if (text === null) return null
  const [row] = await query.run(text, values, { write: false, replica: false, timeout: TIMEOUT })
  if (row === undefined) return null
  const json = row[0]
  const loaded = typeof json === 'string' ? (JSON.parse(json) as LoadedRow) : (json as LoadedRow)
  const number = loaded.table_id ?? null
  return { ...storedOf(loaded), table: number === null ? null : query.catalog.tableName(number) }
}

/** A row as its statement gives it. */
interface LoadedRow {
  readonly id: string
  readonly user_id: string | null
  /** Of records. */
  readonly table_id?: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly properties: Readonly<Record<string, unknown>> | null
  readonly nested: Readonly<Record<string, Readonly<Record<string, LoadedRow | null>>>>
}

function storedOf(row: LoadedRow): StoredResource {
  const nested: Record<string, Record<string, StoredResource>> = {}
  for (const [kind, group] of Object.entries(row.nested)) {
    const found = Object.entries(group).flatMap(([name, each]) =>
      each === null ? [] : [[name, storedOf(each)] as const],
    )
    nested[kind] = Object.fromEntries(found)
  }
  return {
    id: row.id,
    userId: row.user_id,
    attributes: row.attributes,
    properties: row.properties ?? {},
    nested,
  }
}

function statementOf(query: QueryHost, form: FormEntry, table: string | null): string | null {
  const { catalog } = query
  if (form.resource === 'user') {
    const object = rowJson('t', COLUMNS.user, 't.id', form.fields, 'User', query)
    return `select ${object} from ingot.users t where t.id = $1::bigint and t.deleted_at is null`
  }
  if (form.resource === 'profile') {
    const object = rowJson('t', [], 't.user_id', form.fields, 'UserProfile', query)
    const typed = form.table === null ? '' : ` and t.profile_type = ${quoted(form.table)}`
    return `select ${object} from ingot.profiles t where t.id = $1::bigint and t.deleted_at is null${typed}`
  }
  const object = rowJson('t', COLUMNS.record, 't.user_id', form.fields, 'Record', query, table)
  const number = table === null ? null : catalog.tableId(table)
  if (table !== null && number === null) return null
  const ofTable = number === null ? '' : ` and t.table_id = ${number}`
  return `select ${object} from ingot.records t where t.id = $1::bigint and t.deleted_at is null${ofTable}`
}

function rowJson(
  alias: string,
  columns: readonly string[],
  user: string,
  group: FieldGroup,
  owner: OwnerType,
  query: QueryHost,
  /** Of a record; null where it may be of any. */
  table: string | null = null,
): string {
  const pairs = columns.map((name) => `'${name}', ${columnJson(alias, name)}`)
  if (columns.includes('external_id')) pairs.push(`'id', ${alias}.id::text`)
  const isRecord = owner === 'Record'
  const rows = isRecord ? 'records' : owner === 'User' ? 'users' : 'profiles'
  const own = ownObject({ rows, alias, tables: table === null ? null : [table] }, query.catalog)
  if (isRecord) pairs.push(`'user_id', ${alias}.user_id::text`)
  const kinds = new Map<string, string[]>()
  for (const [index, nested] of group.nested.entries()) {
    const one = `${quoted(nested.name)}, ${nestedJson(`${alias}_${index}`, alias, nested, owner, query)}`
    kinds.set(nested.kind, [...(kinds.get(nested.kind) ?? []), one])
  }
  const nested = [...kinds].map(([kind, each]) => `'${kind}', json_build_object(${each.join(', ')})`).join(', ')
  return (
    `json_build_object('id', ${alias}.id::text, 'user_id', (${user})::text, ` +
    `${isRecord ? `'table_id', ${alias}.table_id, ` : ''}'attributes', json_build_object(${pairs.join(', ')}), ` +
    `'properties', ${alias}.properties${own === null ? '' : ` || ${own}`}, 'nested', json_build_object(${nested}))`
  )
}

const TIMES = new Set(['created_at', 'updated_at', 'deleted_at'])

function columnJson(alias: string, name: string): string {
  if (TIMES.has(name)) return `to_char(${alias}.${name}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return name === 'customizable_id' ? `${alias}.${name}::text` : `${alias}.${name}`
}

/** JSON of what hangs on the row of an alias under a name, null where nothing does. */
function nestedJson(alias: string, owner: string, nested: NestedGroup, type: OwnerType, query: QueryHost): string {
  switch (nested.kind) {
    case 'profiles': {
      const object = rowJson(alias, [], `${alias}.user_id`, nested.fields, 'UserProfile', query)
      return (
        `(select ${object} from ingot.profiles ${alias} where ${alias}.user_id = ${owner}.id ` +
        `and ${alias}.profile_type = ${quoted(nested.name)} and ${alias}.deleted_at is null)`
      )
    }
    case 'customizations': {
      const table = nested.table ?? nested.name
      const object = rowJson(alias, COLUMNS.record, `${alias}.user_id`, nested.fields, 'Record', query, table)
      return `(select ${object} from ingot.records ${alias} where ${below(alias, owner, nested, type, query)})`
    }
    case 'custom_addresses': {
      const fields = ADDRESS_FIELDS.map((name) => `'${name}', ${alias}.fields -> '${name}'`).join(', ')
      return (
        `(select json_build_object('id', ${alias}.id::text, 'user_id', null, 'attributes', json_build_object(${fields}), ` +
        `'properties', null, 'nested', json_build_object()) from ingot.addresses ${alias} ` +
        `where ${alias}.owner_type = '${type}' and ${alias}.owner_id = ${owner}.id and ${alias}.name = ${quoted(nested.name)})`
      )
    }
    default: {
      const kind = nested.kind === 'custom_images' ? 'image' : 'attachment'
      return (
        `(select json_build_object('id', ${alias}.id::text, 'user_id', null, ` +
        `'attributes', json_build_object('${kind}', ${alias}.file, 'file', ${alias}.file), ` +
        `'properties', null, 'nested', json_build_object()) from ingot.attachments ${alias} where ${alias}.kind = '${kind}' ` +
        `and ${alias}.owner_type = '${type}' and ${alias}.owner_id = ${owner}.id and ${alias}.name = ${quoted(nested.name)})`
      )
    }
  }
}

/** The condition of the nested record of a name: the oldest living one of its table below its owner. */
export function below(alias: string, owner: string, nested: NestedGroup, type: OwnerType, query: QueryHost): string {
  return (
    `${alias}.id = (select min(o.id) from ingot.records o where o.customizable_type = '${CUSTOMIZABLE[type]}' ` +
    `and o.customizable_id = ${owner}.id and o.table_id = ${tableNumber(nested, query)} and o.deleted_at is null)`
  )
}

/** Number of the table of a nested record. @throws QueryError where the site has none */
export function tableNumber(nested: NestedGroup, query: QueryHost): number {
  const name = nested.table ?? nested.name
  const id = query.catalog.tableId(name)
  if (id !== null) return id
  const message = `There is no table \`${name}\`.`
  throw new QueryError([{ code: 'unknown-table', message, at: null, hint: null }])
}

/** A name that the site declares, as SQL. */
export function quoted(name: string): string {
  return `'${name.replaceAll("'", "''")}'`
}
