/** Builds the parts of a form's save statement that write its nested resources. */
import { identifier, integer, join, literal, parameter, sql, type Sql } from '../../../runtime/data/sql/sql.ts'
import { type Values, NO_VALUES } from '../../../runtime/data/forms/model.ts'
import type { QueryHost } from '../../../runtime/data/query/host.ts'
import { assignedColumns, columnNames } from '../../../runtime/data/query/writes/columns.ts'
import type { FieldGroup, NestedGroup } from '../../../runtime/page/site.ts'
import { replaceLoneSurrogates } from '../../../runtime/page/values/well-formed.ts'
import type { StoredFile } from '../files/model.ts'
import { ADDRESS_FIELDS } from './attributes.ts'
import { nestedRecordCondition, CUSTOMIZABLE, type OwnerType, tableNumber } from './load.ts'
import type { WriteStatement } from './writing.ts'

/** The row that nested resources belong to. */
export interface OwnerRow {
  /** Name of the part of the statement that returns its `id`. */
  readonly part: Sql
  readonly type: OwnerType
  /** Whether this statement creates the owner, so that nothing is nested below it yet. */
  readonly fresh: boolean
  /** Path of its values, ending in a dot. */
  readonly path: string
  /** Id of the user who owns new nested records. */
  readonly viewer: string | null
}

/**
 * Adds the parts for the resources nested below an owner.
 * @param files stored files by the paths of their groups
 */
export function writeNested(
  writing: WriteStatement,
  group: FieldGroup,
  values: Values,
  owner: OwnerRow,
  files: ReadonlyMap<string, StoredFile>,
  query: QueryHost,
): void {
  for (const nested of group.nested) {
    const given = values.nested[nested.kind]?.[nested.name]
    if (given === undefined) continue
    const path = `${owner.path}${nested.kind}.${nested.name}`
    const name = `n${writing.parts.length}`
    if (nested.kind === 'custom_addresses') writeAddress(writing, name, nested, given, owner)
    else if (nested.kind === 'custom_images' || nested.kind === 'custom_attachments') {
      const file = files.get(path)
      if (file !== undefined) writeFile(writing, name, nested, file, owner)
    } else {
      const profile = nested.kind === 'profiles'
      if (profile) writeProfile(writing, name, nested, given, { ...owner, path: `${path}.` }, query)
      else writeRecord(writing, name, nested, given, { ...owner, path: `${path}.` }, query)
      const type = profile ? 'UserProfile' : 'Record'
      writeNested(
        writing,
        nested.fields,
        given,
        { ...owner, part: identifier(name), type, path: `${path}.` },
        files,
        query,
      )
    }
  }
}

/** Whether any nested values are given. */
export function hasNested({ nested }: Values): boolean {
  return Object.values(nested).some((group) => Object.keys(group ?? NO_VALUES).length > 0)
}

function writeProfile(
  writing: WriteStatement,
  name: string,
  nested: NestedGroup,
  given: Values,
  { part, path }: OwnerRow,
  { catalog }: QueryHost,
): void {
  const declared = catalog.profileProperties(nested.name) ?? new Map()
  const fresh = writing.properties(given.properties, declared, true, path) ?? sql`null`
  const change = writing.properties(given.properties, declared, false, path)
  const next = change === null ? sql`p.properties` : sql`p.properties || ${change}`
  // `enabled` decides whether the profile exists.
  const off = Object.hasOwn(given.attributes, 'enabled') && isNo(given.attributes['enabled'])
  const deleted = off ? sql`clock_timestamp()` : sql`null::timestamptz`
  writing.part(
    name,
    sql`insert into ingot.profiles as p (user_id, profile_type, properties, deleted_at)
    select id, ${literal(nested.name)}, ${fresh}, ${deleted} from ${part}
    on conflict (user_id, profile_type) do update set properties = ${next}, updated_at = clock_timestamp(),
    deleted_at = ${deleted} returning p.id`,
  )
}

function isNo(value: unknown): boolean {
  return (
    value === false || (typeof value === 'string' && /^(?:false|f|0|no|n|off|)$/i.test(value.trim())) || value === 0
  )
}

function writeRecord(
  writing: WriteStatement,
  name: string,
  nested: NestedGroup,
  given: Values,
  { part, type, fresh, path, viewer }: OwnerRow,
  query: QueryHost,
): void {
  const table = nested.table ?? nested.name
  const number = tableNumber(nested, query)
  const declared = query.catalog.properties(table) ?? new Map()
  const { customizable_id: _id, customizable_type: _type, ...attributes } = given.attributes
  const columns = writing.recordColumns(attributes, given.properties, declared, path)
  const inserted = new Map<string, Sql>([
    ['table_id', integer(number)],
    ['customizable_type', literal(CUSTOMIZABLE[type])],
    ['customizable_id', sql`${part}.id`],
    ...(columns.has('user_id') ? [] : [['user_id', parameter(viewer, 'bigint')] as const]),
    ...columns,
    ['properties', writing.properties(given.properties, declared, true, path) ?? sql`null`],
  ])
  const insert = sql`insert into ingot.records as r (${columnNames(inserted)})
    select ${join(inserted.values())} from ${part}`
  if (fresh) {
    writing.part(name, sql`${insert} returning r.id`)
    return
  }
  const change = writing.properties(given.properties, declared, false, path)
  const assigned = [
    ...(columns.size === 0 ? [] : [assignedColumns(columns)]),
    ...(change === null ? [] : [sql`properties = r.properties || ${change}`]),
    ...(columns.has('updated_at') ? [] : [sql`updated_at = clock_timestamp()`]),
  ]
  const changed = writing.part(
    `${name}_changed`,
    sql`update ingot.records r set ${join(assigned)} from ${part} where ${nestedRecordCondition(sql`r`, part, nested, type, query)} returning r.id`,
  )
  const made = writing.part(`${name}_made`, sql`${insert} where not exists (select from ${changed}) returning r.id`)
  writing.part(name, sql`select id from ${changed} union all select id from ${made}`)
}

function writeAddress(
  writing: WriteStatement,
  name: string,
  nested: NestedGroup,
  given: Values,
  { part, type, path }: OwnerRow,
): void {
  const fields = Object.fromEntries(
    ADDRESS_FIELDS.flatMap((field) =>
      Object.hasOwn(given.attributes, field) ? [[field, plain(given.attributes[field])]] : [],
    ),
  )
  const text = JSON.stringify(fields)
  if (text.includes('\\u0000')) writing.problems.set(`${path}${nested.kind}.${nested.name}`, { key: 'invalid' })
  const json = sql`${parameter(text, 'text')}::jsonb`
  writing.part(
    name,
    sql`insert into ingot.addresses as a (owner_type, owner_id, name, fields)
    select ${literal(type)}, id, ${literal(nested.name)}, ${json} from ${part}
    on conflict (owner_type, owner_id, name) do update set fields = a.fields || excluded.fields,
    updated_at = clock_timestamp() returning a.id`,
  )
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return replaceLoneSurrogates(value)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function writeFile(
  writing: WriteStatement,
  name: string,
  nested: NestedGroup,
  file: StoredFile,
  { part, type }: OwnerRow,
): void {
  const kind = nested.kind === 'custom_images' ? 'image' : 'attachment'
  writing.part(
    name,
    sql`insert into ingot.attachments as a (kind, owner_type, owner_id, name, file)
    select ${literal(kind)}, ${literal(type)}, id, ${literal(nested.name)}, ${parameter(JSON.stringify(file), 'text')}::jsonb from ${part}
    on conflict (kind, owner_type, owner_id, name) do update set file = excluded.file,
    updated_at = clock_timestamp() returning a.id`,
  )
}
