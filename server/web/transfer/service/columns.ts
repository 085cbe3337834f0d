/** The columns of the service's formats as SQL. JSON and CSV have the same columns. */
import type { DataSchema, PropertyDef } from '../../../../runtime/page/compiled.ts'
import {
  identifier,
  integer,
  join,
  literal,
  emptySql,
  parameter,
  type Sql as SqlText,
  sql as statement,
} from '../../../../runtime/data/sql/sql.ts'
import { USER_TEXTS } from '../../../../runtime/data/values/user-columns.ts'
import { propertiesObject, propertyJson, type PropertyJson } from '../line-sql.ts'
import { ownKeyPrefix, findRelation, TARGETS } from '../relations.ts'
import type { ANY_TABLE } from '../rows.ts'

/** A column. Its SQL returns the text, or null for a row without a value. */
export interface ServiceColumn {
  readonly name: string
  readonly value: SqlText
  /** Whether the text is JSON. */
  readonly json: boolean
}

export interface ColumnOptions {
  readonly data: DataSchema
  /** Table ids by table name. */
  readonly ids: ReadonlyMap<string, number>
  /** The key of this database when external ids are exported as ids; null to export ids. */
  readonly keysOf: string | null
  /** Prefix of the URLs of stored files. */
  readonly filesAt: string
  /** Whether upload properties contain URLs. By default they contain the stored paths. */
  readonly fileUrls?: boolean
}

/** Returns the columns of a table's rows, with the alias `r`. */
export function recordColumns(table: string, options: ColumnOptions): readonly ServiceColumn[] {
  const properties = options.data.tables.find(({ name }) => name === table)?.properties ?? []
  const declaredProperties = properties.filter(({ column }) => column !== true)
  return [
    ...identity(false, options),
    text('type_name', literal(table)),
    text('user_id', recordOwner(options)),
    text('name', statement`r.name`),
    text('customizable_id', customizable(options)),
    text('customizable_type', statement`r.customizable_type`),
    ...times('r'),
    json('properties', propertiesObject('r', declaredProperties, propertyValueJson(options, relationJson(options)))),
  ]
}

/** Returns the columns of users, with the alias `r`. */
export function userColumns(options: ColumnOptions): readonly ServiceColumn[] {
  return [
    ...identity(true, options),
    ...[...USER_TEXTS, 'encrypted_password']
      .filter((name) => name !== 'external_id')
      .map((name) => text(name, statement`r.${identifier(name)}`)),
    ...times('r'),
    json('properties', propertiesObject('r', options.data.user, propertyValueJson(options))),
  ]
}

/** Returns the columns of profiles, with the alias `p`. A profile is identified by its user and its type. */
export function profileColumns(options: ColumnOptions): readonly ServiceColumn[] {
  const profileCases = listProfileTypes(options.data).map(
    ({ name, properties }) =>
      statement`when ${parameter(name, 'text')} then ${propertiesObject('p', properties, propertyValueJson(options))}`,
  )
  return [
    ...(options.keysOf === null ? [text('id', statement`p.id::text`)] : []),
    text('type_name', statement`p.profile_type`),
    ...times('p'),
    json('properties', statement`case p.profile_type ${join(profileCases, ' ')} end`),
  ]
}

/** Returns the condition that a profile `p` has a declared type. */
export function isDeclaredProfile(data: DataSchema): SqlText {
  return statement`p.profile_type in (${join(listProfileTypes(data).map(({ name }) => parameter(name, 'text')))})`
}

/** Columns that few rows have: addresses and files of a row, and its undeclared properties. */
export const RARE_COLUMNS = ['undeclared', 'addresses', 'images', 'attachments'] as const

/** Returns the rare columns with these names. */
export function rareColumns(
  names: readonly (typeof RARE_COLUMNS)[number][],
  alias: 'r' | 'p',
  owner: 'Record' | 'User' | 'UserProfile',
  { filesAt }: ColumnOptions,
): readonly ServiceColumn[] {
  const row = identifier(alias)
  return names.map((name) => {
    if (name === 'undeclared') return json(name, statement`${row}.undeclared::text`)
    const belongsToRow = statement`o.owner_type = ${literal(owner)} and o.owner_id = ${row}.id`
    if (name === 'addresses')
      return json(
        name,
        statement`(
          select json_agg(jsonb_build_object('name', o.name) || o.fields order by o.name)::text
          from ingot.addresses o where ${belongsToRow})`,
      )
    const kind = name === 'images' ? 'image' : 'attachment'
    const path = statement`o.file ->> 'path'`
    const url = storedFileUrl(path, filesAt)
    return json(
      name,
      // The id is the name of the folder in which clients store the file. It stays the same when the row is copied.
      statement`(
        select json_agg(json_build_object('id', md5(${path}), 'name', o.name, 'url', ${url}) order by o.name)::text
        from ingot.attachments o where o.kind = ${literal(kind)} and ${belongsToRow})`,
    )
  })
}

/** Returns the condition that any row has a value in a rare column. */
export function hasRare(name: (typeof RARE_COLUMNS)[number], table: 'records' | 'users' | 'profiles'): SqlText {
  const owner = { records: 'Record', users: 'User', profiles: 'UserProfile' }[table]
  if (name === 'undeclared')
    return statement`exists (select from ingot.${identifier(table)} where undeclared is not null)`
  if (name === 'addresses') return statement`exists (select from ingot.addresses where owner_type = ${literal(owner)})`
  const kind = name === 'images' ? 'image' : 'attachment'
  return statement`exists (
    select from ingot.attachments where kind = ${literal(kind)} and owner_type = ${literal(owner)})`
}

function listProfileTypes({ profiles }: DataSchema): readonly { name: string; properties: readonly PropertyDef[] }[] {
  const isNamed = profiles.some(({ name }) => name === 'default')
  return isNamed ? profiles : [...profiles, { name: 'default', properties: [] }]
}

function text(name: string, value: SqlText): ServiceColumn {
  return { name, value, json: false }
}

function json(name: string, value: SqlText): ServiceColumn {
  return { name, value, json: true }
}

function times(alias: 'r' | 'p'): readonly ServiceColumn[] {
  return ['created_at', 'updated_at', 'deleted_at'].map((name) => {
    const value = statement`${identifier(alias)}.${identifier(name)} at time zone 'UTC'`
    return text(name, statement`to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
  })
}

function identity(users: boolean, { keysOf }: ColumnOptions): readonly ServiceColumn[] {
  if (keysOf === null) return [text('id', statement`r.id::text`), text('external_id', statement`r.external_id`)]
  return [text('id', rowKey('r', users, keysOf))]
}

/**
 * Returns the key of a row: its external id, if no other row has the same one.
 * @param alias alias of the row
 */
function rowKey(alias: 'r' | 'k', users: boolean, source: string): SqlText {
  const row = identifier(alias)
  const hasUniqueExternalId = statement`not exists (
    select from ingot.records same
    where same.table_id = ${row}.table_id and same.external_id = ${row}.external_id and same.id <> ${row}.id)`
  const isUsableKey = statement`${row}.external_id ~ '\\S' and not starts_with(${row}.external_id, ${ownKeyPrefix(source)})`
  return statement`case when ${isUsableKey}${users ? emptySql : statement` and ${hasUniqueExternalId}`} then ${row}.external_id
    else ${ownKeyPrefix(source)} || ${row}.id end`
}

/** Returns the id of the record's user. */
function recordOwner({ keysOf }: ColumnOptions): SqlText {
  if (keysOf === null) return statement`r.user_id::text`
  return statement`(select ${rowKey('k', true, keysOf)} from ingot.users k where k.id = r.user_id)`
}

/** Returns the id of the profile's user. */
export function profileOwner({ keysOf }: ColumnOptions): SqlText {
  if (keysOf === null) return statement`p.user_id::text`
  return statement`(select ${rowKey('k', true, keysOf)} from ingot.users k where k.id = p.user_id)`
}

function customizable({ keysOf }: ColumnOptions): SqlText {
  if (keysOf === null) return statement`r.customizable_id::text`
  const cases = [...TARGETS].map(([type, target]) => {
    const key = lookUpKey(target, statement`r.customizable_id`, keysOf, new Map())
    return statement`when ${literal(type)} then coalesce(${key}, r.customizable_id::text)`
  })
  return statement`case r.customizable_type ${join(cases, ' ')} else r.customizable_id::text end`
}

/** Returns the key of the row with an id, or null when there is none. */
function lookUpKey(
  table: string | null | typeof ANY_TABLE | undefined,
  id: SqlText,
  source: string,
  ids: ReadonlyMap<string, number>,
): SqlText {
  if (table === null) return statement`(select ${rowKey('k', true, source)} from ingot.users k where k.id = ${id})`
  const ofTable = typeof table === 'string' ? statement` and k.table_id = ${integer(ids.get(table) ?? 0)}` : emptySql
  return statement`(select ${rowKey('k', false, source)} from ingot.records k where k.id = ${id}${ofTable})`
}

/** Returns the URL of a stored path. URLs are returned unchanged. */
function storedFileUrl(path: SqlText, filesAt: string): SqlText {
  return statement`case when ${path} ~ '^https?://' then ${path} else ${filesAt} || ltrim(${path}, '/') end`
}

const FILES: ReadonlySet<PropertyDef['type']> = new Set(['upload', 'file', 'photo'])

/**
 * Returns a function for the JSON of property values.
 * @param otherPropertyJson used for properties that are not files
 */
function propertyValueJson(
  { filesAt, fileUrls = false }: ColumnOptions,
  otherPropertyJson: PropertyJson = (column, key, { type }) => propertyJson(column, key, type),
): PropertyJson {
  return (column, key, property) => {
    if (!fileUrls || !FILES.has(property.type)) return otherPropertyJson(column, key, property)
    const value = statement`${column} -> ${key}`
    const path = statement`${value} ->> 'path'`
    return statement`case when ${path} is null then (${value})::text
      else jsonb_set(${value}, '{path}', to_jsonb(${storedFileUrl(path, filesAt)}))::text end`
  }
}

/** Returns a function for the JSON of properties that refer to rows. */
function relationJson({ data, ids, keysOf }: ColumnOptions): PropertyJson {
  const tables = new Map(data.tables.map(({ name }) => [name, true]))
  return (column, key, property) => {
    const table = keysOf === null ? undefined : findRelation(property, tables)
    const plainJson = propertyJson(column, key, property.type)
    if (keysOf === null || table === undefined) return plainJson
    if (property.type !== 'array') {
      const rowId = statement`${column} ->> ${key}`
      const rowKeySql = lookUpKey(table, statement`(${rowId})::bigint`, keysOf, ids)
      return statement`case when ${isId(rowId)} then coalesce(to_json(${rowKeySql})::text, ${plainJson}) else ${plainJson} end`
    }
    const rowKeySql = lookUpKey(table, statement`(e.item #>> '{}')::bigint`, keysOf, ids)
    return statement`case when jsonb_typeof(${column} -> ${key}) = 'array' then (
      select '[' || coalesce(string_agg(
        case when ${isId(statement`e.item #>> '{}'`)} then coalesce(to_json(${rowKeySql})::text, e.item::text)
        else e.item::text end, ',' order by e.nth), '') || ']'
      from jsonb_array_elements(${column} -> ${key}) with ordinality e (item, nth)) else ${plainJson} end`
  }
}

function isId(text: SqlText): SqlText {
  return statement`${text} ~ '^[1-9][0-9]{0,15}$'`
}
