/** What the service's forms tell of rows, as SQL: the same columns in JSON and in CSV. */
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
import { object, shown, type ShownValue } from '../line-sql.ts'
import { ownKey, relationOf, TARGETS } from '../relations.ts'
import type { ANY_TABLE } from '../rows.ts'

/** A column: SQL for its text, null where a row has none. */
export interface ServiceColumn {
  readonly name: string
  readonly value: SqlText
  /** Whether the text is JSON. */
  readonly json: boolean
}

export interface ColumnOptions {
  readonly data: DataSchema
  /** The numbers of the tables. */
  readonly ids: ReadonlyMap<string, number>
  /** The key of this database when external ids stand for ids; null for ids as they are. */
  readonly keysOf: string | null
  /** What the URLs of stored files begin with. */
  readonly filesAt: string
  /** Whether upload properties name files by URLs, too. By default they hold paths, as they are stored. */
  readonly fileUrls?: boolean
}

/** Rows of a table, under the alias `r`. */
export function recordColumns(table: string, options: ColumnOptions): readonly ServiceColumn[] {
  const properties = options.data.tables.find(({ name }) => name === table)?.properties ?? []
  const declared = properties.filter(({ column }) => column !== true)
  return [
    ...identity(false, options),
    text('type_name', literal(table)),
    text('user_id', owner(options)),
    text('name', statement`r.name`),
    text('customizable_id', customizable(options)),
    text('customizable_type', statement`r.customizable_type`),
    ...times('r'),
    json('properties', object('r', declared, shownValue(options, related(options)))),
  ]
}

/** Users, under the alias `r`. */
export function userColumns(options: ColumnOptions): readonly ServiceColumn[] {
  return [
    ...identity(true, options),
    ...[...USER_TEXTS, 'encrypted_password']
      .filter((name) => name !== 'external_id')
      .map((name) => text(name, statement`r.${identifier(name)}`)),
    ...times('r'),
    json('properties', object('r', options.data.user, shownValue(options))),
  ]
}

/** Profiles, under the alias `p`. They have no key of their own: their user and their type name them. */
export function profileColumns(options: ColumnOptions): readonly ServiceColumn[] {
  const own = profilesOf(options.data).map(
    ({ name, properties }) =>
      statement`when ${parameter(name, 'text')} then ${object('p', properties, shownValue(options))}`,
  )
  return [
    ...(options.keysOf === null ? [text('id', statement`p.id::text`)] : []),
    text('type_name', statement`p.profile_type`),
    ...times('p'),
    json('properties', statement`case p.profile_type ${join(own, ' ')} end`),
  ]
}

/** The condition that a profile `p` is of a type that the site declares. */
export function isDeclaredProfile(data: DataSchema): SqlText {
  return statement`p.profile_type in (${join(profilesOf(data).map(({ name }) => parameter(name, 'text')))})`
}

/** What hangs on a row, and its properties that no file declares. Few rows have any. */
export const RARE = ['undeclared', 'addresses', 'images', 'attachments'] as const

/** The columns of `RARE` that are named. */
export function rareColumns(
  names: readonly (typeof RARE)[number][],
  alias: 'r' | 'p',
  owner: 'Record' | 'User' | 'UserProfile',
  { filesAt }: ColumnOptions,
): readonly ServiceColumn[] {
  const row = identifier(alias)
  return names.map((name) => {
    if (name === 'undeclared') return json(name, statement`${row}.undeclared::text`)
    const hangs = statement`o.owner_type = ${literal(owner)} and o.owner_id = ${row}.id`
    if (name === 'addresses')
      return json(
        name,
        statement`(
          select json_agg(jsonb_build_object('name', o.name) || o.fields order by o.name)::text
          from ingot.addresses o where ${hangs})`,
      )
    const kind = name === 'images' ? 'image' : 'attachment'
    const path = statement`o.file ->> 'path'`
    const url = urlOf(path, filesAt)
    return json(
      name,
      // The id is that of a folder which clients put the file into: it stays the same when the row moves.
      statement`(
        select json_agg(json_build_object('id', md5(${path}), 'name', o.name, 'url', ${url}) order by o.name)::text
        from ingot.attachments o where o.kind = ${literal(kind)} and ${hangs})`,
    )
  })
}

/** The condition that a row has any of what a column of `RARE` tells. */
export function hasRare(name: (typeof RARE)[number], table: 'records' | 'users' | 'profiles'): SqlText {
  const owner = { records: 'Record', users: 'User', profiles: 'UserProfile' }[table]
  if (name === 'undeclared')
    return statement`exists (select from ingot.${identifier(table)} where undeclared is not null)`
  if (name === 'addresses') return statement`exists (select from ingot.addresses where owner_type = ${literal(owner)})`
  const kind = name === 'images' ? 'image' : 'attachment'
  return statement`exists (
    select from ingot.attachments where kind = ${literal(kind)} and owner_type = ${literal(owner)})`
}

function profilesOf({ profiles }: DataSchema): readonly { name: string; properties: readonly PropertyDef[] }[] {
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
  return [text('id', keyOf('r', users, keysOf))]
}

/**
 * What a row is named by: its external id, where no other row has the same.
 * @param alias of the row
 */
function keyOf(alias: 'r' | 'k', users: boolean, source: string): SqlText {
  const row = identifier(alias)
  const isOnly = statement`not exists (
    select from ingot.records same
    where same.table_id = ${row}.table_id and same.external_id = ${row}.external_id and same.id <> ${row}.id)`
  const isKey = statement`${row}.external_id ~ '\\S' and not starts_with(${row}.external_id, ${ownKey(source)})`
  return statement`case when ${isKey}${users ? emptySql : statement` and ${isOnly}`} then ${row}.external_id
    else ${ownKey(source)} || ${row}.id end`
}

/** The id of the record's user. */
export function owner({ keysOf }: ColumnOptions): SqlText {
  if (keysOf === null) return statement`r.user_id::text`
  return statement`(select ${keyOf('k', true, keysOf)} from ingot.users k where k.id = r.user_id)`
}

/** The same of a profile. */
export function ownerOfProfile({ keysOf }: ColumnOptions): SqlText {
  if (keysOf === null) return statement`p.user_id::text`
  return statement`(select ${keyOf('k', true, keysOf)} from ingot.users k where k.id = p.user_id)`
}

function customizable({ keysOf }: ColumnOptions): SqlText {
  if (keysOf === null) return statement`r.customizable_id::text`
  const cases = [...TARGETS].map(([type, target]) => {
    const key = keyed(target, statement`r.customizable_id`, keysOf, new Map())
    return statement`when ${literal(type)} then coalesce(${key}, r.customizable_id::text)`
  })
  return statement`case r.customizable_type ${join(cases, ' ')} else r.customizable_id::text end`
}

/** The key of the row of an id; null when there is none. */
function keyed(
  table: string | null | typeof ANY_TABLE | undefined,
  id: SqlText,
  source: string,
  ids: ReadonlyMap<string, number>,
): SqlText {
  if (table === null) return statement`(select ${keyOf('k', true, source)} from ingot.users k where k.id = ${id})`
  const ofTable = typeof table === 'string' ? statement` and k.table_id = ${integer(ids.get(table) ?? 0)}` : emptySql
  return statement`(select ${keyOf('k', false, source)} from ingot.records k where k.id = ${id}${ofTable})`
}

/** The URL of a stored path; others are left. */
function urlOf(path: SqlText, filesAt: string): SqlText {
  return statement`case when ${path} ~ '^https?://' then ${path} else ${filesAt} || ltrim(${path}, '/') end`
}

const FILES: ReadonlySet<PropertyDef['type']> = new Set(['upload', 'file', 'photo'])

/** How values of properties are shown. @param other for all that are no files */
function shownValue(
  { filesAt, fileUrls = false }: ColumnOptions,
  other: ShownValue = (column, key, { type }) => shown(column, key, type),
): ShownValue {
  return (column, key, property) => {
    if (!fileUrls || !FILES.has(property.type)) return other(column, key, property)
    const value = statement`${column} -> ${key}`
    const path = statement`${value} ->> 'path'`
    return statement`case when ${path} is null then (${value})::text
      else jsonb_set(${value}, '{path}', to_jsonb(${urlOf(path, filesAt)}))::text end`
  }
}

/** How values of properties are shown that name rows. */
function related({ data, ids, keysOf }: ColumnOptions): ShownValue {
  const tables = new Map(data.tables.map(({ name }) => [name, true]))
  return (column, key, property) => {
    const table = keysOf === null ? undefined : relationOf(property, tables)
    const plain = shown(column, key, property.type)
    if (keysOf === null || table === undefined) return plain
    if (property.type !== 'array') {
      const given = statement`${column} ->> ${key}`
      const named = keyed(table, statement`(${given})::bigint`, keysOf, ids)
      return statement`case when ${isId(given)} then coalesce(to_json(${named})::text, ${plain}) else ${plain} end`
    }
    const named = keyed(table, statement`(e.item #>> '{}')::bigint`, keysOf, ids)
    return statement`case when jsonb_typeof(${column} -> ${key}) = 'array' then (
      select '[' || coalesce(string_agg(
        case when ${isId(statement`e.item #>> '{}'`)} then coalesce(to_json(${named})::text, e.item::text)
        else e.item::text end, ',' order by e.nth), '') || ']'
      from jsonb_array_elements(${column} -> ${key}) with ordinality e (item, nth)) else ${plain} end`
  }
}

function isId(given: SqlText): SqlText {
  return statement`${given} ~ '^[1-9][0-9]{0,15}$'`
}
