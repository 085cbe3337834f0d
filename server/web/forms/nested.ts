/** Builds the parts of a form's save statement that write its nested resources. */
import { identifier, integer, join, literal, parameter, sql, type Sql } from '../../../runtime/data/sql/sql.ts'
import { type Values, NO_VALUES } from '../../../runtime/data/forms/model.ts'
import type { QueryHost } from '../../../runtime/data/query/host.ts'
import { assignedColumns, columnNames } from '../../../runtime/data/query/writes/columns.ts'
import type { FieldGroup, NestedGroup } from '../../../runtime/page/site.ts'
import { replaceLoneSurrogates } from '../../../runtime/page/values/well-formed.ts'
import type { StoredFile } from '../files/model.ts'
import { ADDRESS_FIELDS } from './attributes.ts'
import { nestedRecordCondition, CUSTOMIZABLE_TYPES, type OwnerType, nestedTableId } from './load.ts'
import type { WriteStatement } from './write-statement.ts'

/** The row that nested resources belong to. */
export interface OwnerRow {
  /** Name of the CTE that returns the `id` of the row. */
  readonly part: Sql
  readonly type: OwnerType
  /** Whether the statement creates the owner, so that it has no nested rows yet. */
  readonly isNew: boolean
  /** Path of the row's values, ending in a dot. */
  readonly path: string
  /** Id of the user who owns new nested records. */
  readonly viewer: string | null
}

/**
 * Adds the parts for the resources nested below an owner.
 * @param files stored files by the paths of their groups
 */
export function writeNested(
  statement: WriteStatement,
  group: FieldGroup,
  values: Values,
  owner: OwnerRow,
  files: ReadonlyMap<string, StoredFile>,
  query: QueryHost,
): void {
  for (const nested of group.nested) {
    const nestedValues = values.nested[nested.kind]?.[nested.name]
    if (nestedValues === undefined) continue
    const path = `${owner.path}${nested.kind}.${nested.name}`
    const name = `n${statement.parts.length}`
    if (nested.kind === 'custom_addresses') writeAddress(statement, name, nested, nestedValues, owner)
    else if (nested.kind === 'custom_images' || nested.kind === 'custom_attachments') {
      const file = files.get(path)
      if (file !== undefined) writeFile(statement, name, nested, file, owner)
    } else {
      const isProfile = nested.kind === 'profiles'
      if (isProfile) writeProfile(statement, name, nested, nestedValues, { ...owner, path: `${path}.` }, query)
      else writeRecord(statement, name, nested, nestedValues, { ...owner, path: `${path}.` }, query)
      const type = isProfile ? 'UserProfile' : 'Record'
      writeNested(
        statement,
        nested.fields,
        nestedValues,
        { ...owner, part: identifier(name), type, path: `${path}.` },
        files,
        query,
      )
    }
  }
}

/** Returns whether the values contain nested resources. */
export function hasNested({ nested }: Values): boolean {
  return Object.values(nested).some((group) => Object.keys(group ?? NO_VALUES).length > 0)
}

function writeProfile(
  statement: WriteStatement,
  name: string,
  nested: NestedGroup,
  values: Values,
  { part, path }: OwnerRow,
  { catalog }: QueryHost,
): void {
  const properties = catalog.profileProperties(nested.name) ?? new Map()
  const newProperties = statement.properties(values.properties, properties, true, path) ?? sql`null`
  const change = statement.properties(values.properties, properties, false, path)
  const updatedProperties = change === null ? sql`p.properties` : sql`p.properties || ${change}`
  // The attribute `enabled` decides whether the profile exists.
  const isDisabled = Object.hasOwn(values.attributes, 'enabled') && isFalseValue(values.attributes['enabled'])
  const deleted = isDisabled ? sql`clock_timestamp()` : sql`null::timestamptz`
  statement.part(
    name,
    sql`insert into ingot.profiles as p (user_id, profile_type, properties, deleted_at)
    select id, ${literal(nested.name)}, ${newProperties}, ${deleted} from ${part}
    on conflict (user_id, profile_type) do update set properties = ${updatedProperties}, updated_at = clock_timestamp(),
    deleted_at = ${deleted} returning p.id`,
  )
}

function isFalseValue(value: unknown): boolean {
  return (
    value === false || (typeof value === 'string' && /^(?:false|f|0|no|n|off|)$/i.test(value.trim())) || value === 0
  )
}

function writeRecord(
  statement: WriteStatement,
  name: string,
  nested: NestedGroup,
  values: Values,
  { part, type, isNew, path, viewer }: OwnerRow,
  query: QueryHost,
): void {
  const table = nested.table ?? nested.name
  const tableId = nestedTableId(nested, query)
  const properties = query.catalog.properties(table) ?? new Map()
  const { customizable_id: _id, customizable_type: _type, ...attributes } = values.attributes
  const columns = statement.recordColumns(attributes, values.properties, properties, path)
  const inserted = new Map<string, Sql>([
    ['table_id', integer(tableId)],
    ['customizable_type', literal(CUSTOMIZABLE_TYPES[type])],
    ['customizable_id', sql`${part}.id`],
    ...(columns.has('user_id') ? [] : [['user_id', parameter(viewer, 'bigint')] as const]),
    ...columns,
    ['properties', statement.properties(values.properties, properties, true, path) ?? sql`null`],
  ])
  const insert = sql`insert into ingot.records as r (${columnNames(inserted)})
    select ${join(inserted.values())} from ${part}`
  if (isNew) {
    statement.part(name, sql`${insert} returning r.id`)
    return
  }
  const change = statement.properties(values.properties, properties, false, path)
  const assignments = [
    ...(columns.size === 0 ? [] : [assignedColumns(columns)]),
    ...(change === null ? [] : [sql`properties = r.properties || ${change}`]),
    ...(columns.has('updated_at') ? [] : [sql`updated_at = clock_timestamp()`]),
  ]
  const updatedPart = statement.part(
    `${name}_changed`,
    sql`update ingot.records r set ${join(assignments)} from ${part} where ${nestedRecordCondition(sql`r`, part, nested, type, query)} returning r.id`,
  )
  const insertedPart = statement.part(
    `${name}_made`,
    sql`${insert} where not exists (select from ${updatedPart}) returning r.id`,
  )
  statement.part(name, sql`select id from ${updatedPart} union all select id from ${insertedPart}`)
}

function writeAddress(
  statement: WriteStatement,
  name: string,
  nested: NestedGroup,
  values: Values,
  { part, type, path }: OwnerRow,
): void {
  const fields = Object.fromEntries(
    ADDRESS_FIELDS.flatMap((field) =>
      Object.hasOwn(values.attributes, field) ? [[field, toJsonScalar(values.attributes[field])]] : [],
    ),
  )
  const text = JSON.stringify(fields)
  if (text.includes('\\u0000')) statement.problems.set(`${path}${nested.kind}.${nested.name}`, { key: 'invalid' })
  const json = sql`${parameter(text, 'text')}::jsonb`
  statement.part(
    name,
    sql`insert into ingot.addresses as a (owner_type, owner_id, name, fields)
    select ${literal(type)}, id, ${literal(nested.name)}, ${json} from ${part}
    on conflict (owner_type, owner_id, name) do update set fields = a.fields || excluded.fields,
    updated_at = clock_timestamp() returning a.id`,
  )
}

function toJsonScalar(value: unknown): unknown {
  if (typeof value === 'string') return replaceLoneSurrogates(value)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function writeFile(
  statement: WriteStatement,
  name: string,
  nested: NestedGroup,
  file: StoredFile,
  { part, type }: OwnerRow,
): void {
  const kind = nested.kind === 'custom_images' ? 'image' : 'attachment'
  statement.part(
    name,
    sql`insert into ingot.attachments as a (kind, owner_type, owner_id, name, file)
    select ${literal(kind)}, ${literal(type)}, id, ${literal(nested.name)}, ${parameter(JSON.stringify(file), 'text')}::jsonb from ${part}
    on conflict (kind, owner_type, owner_id, name) do update set file = excluded.file,
    updated_at = clock_timestamp() returning a.id`,
  )
}
