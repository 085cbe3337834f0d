/** The tables and properties that the database knows, and their registration. */
import { createHash } from 'node:crypto'
import type { ISql, PendingQuery, Row } from 'postgres'
import type { DataSchema, PropertyDef, PropertyType, TableDef } from '../../../runtime/page/compiled.ts'

/** Types by property name, as stored with a table. Removed properties are included, because rows keep the values of these properties. */
export type PropertyTypes = Readonly<Record<string, PropertyType>>

export interface KnownTable {
  readonly id: number
  readonly name: string
  readonly types: PropertyTypes
  readonly isRemoved: boolean
}

export interface KnownSchema {
  readonly tables: ReadonlyMap<string, KnownTable>
  readonly user: PropertyTypes
  readonly profiles: Readonly<Record<string, PropertyTypes>>
  /** The new types of the properties whose conversion has begun and not ended, by `conversionKey`. */
  readonly converting: PropertyTypes
}

/** Reads what the database knows. */
export async function readKnownSchema(sql: ISql): Promise<KnownSchema> {
  const rows = await sql<KnownTable[]>`
    select id, name, properties as types, removed_at is not null as "isRemoved" from ingot.tables`
  const [declared] = await sql<Omit<KnownSchema, 'tables'>[]>`
    select user_properties as user, profile_properties as profiles, converting from ingot.declared`
  return {
    tables: new Map(rows.map((row) => [row.name, row])),
    user: declared?.user ?? {},
    profiles: declared?.profiles ?? {},
    converting: declared?.converting ?? {},
  }
}

/** The numbers of the tables when the site's declarations have not changed; otherwise null. */
export async function idsIfUnchanged(sql: ISql, digest: string): Promise<ReadonlyMap<string, number> | null> {
  return readIds(sql, sql`digest = ${digest}`)
}

/** Like `idsIfUnchanged`, but null while a conversion is interrupted or running. */
export async function idsIfApplied(sql: ISql, digest: string): Promise<ReadonlyMap<string, number> | null> {
  return readIds(sql, sql`digest = ${digest} and converting = '{}'`)
}

async function readIds(sql: ISql, condition: PendingQuery<Row[]>): Promise<ReadonlyMap<string, number> | null> {
  const [row] = await sql<{ ids: Record<string, number> | null }[]>`
    select (select json_object_agg(name, id) from ingot.tables where removed_at is null) as ids
    from ingot.declared where ${condition}`
  return row === undefined ? null : new Map(Object.entries(row.ids ?? {}))
}

/** The numbers of the declared tables when the database knows all tables and properties; otherwise null. */
export async function idsIfKnown(sql: ISql, data: DataSchema): Promise<ReadonlyMap<string, number> | null> {
  const { tables, user, profiles } = await readKnownSchema(sql)
  const areKnown = (types: PropertyTypes | undefined, properties: readonly PropertyDef[]): boolean =>
    types !== undefined && Object.keys(typesOf(properties)).every((name) => Object.hasOwn(types, name))
  const isKnown =
    data.tables.every(({ name, properties }) => areKnown(tables.get(name)?.types, properties)) &&
    data.profiles.every(({ name, properties }) => areKnown(profiles[name], properties)) &&
    areKnown(user, data.user)
  return isKnown ? new Map(data.tables.map(({ name }) => [name, tables.get(name)?.id ?? 0])) : null
}

/** Registers all declarations. Returns the numbers of the declared tables by name. */
export async function registerAll(
  sql: ISql,
  data: DataSchema,
  digest: string,
  knownSchema: KnownSchema,
): Promise<ReadonlyMap<string, number>> {
  await register(sql, data, knownSchema)
  const users = mergeTypes(knownSchema.user, data.user)
  const profiles = Object.fromEntries([
    ...Object.entries(knownSchema.profiles),
    ...data.profiles.map(
      ({ name, properties }) => [name, mergeTypes(knownSchema.profiles[name] ?? {}, properties)] as const,
    ),
  ])
  await sql`
    insert into ingot.declared (digest, user_properties, profile_properties)
    values (${digest}, ${JSON.stringify(users)}::text::jsonb, ${JSON.stringify(profiles)}::text::jsonb)
    on conflict (single) do update set digest = excluded.digest, user_properties = excluded.user_properties,
      profile_properties = excluded.profile_properties, converting = '{}', updated_at = now()`
  return (await idsIfUnchanged(sql, digest)) ?? new Map()
}

async function register(sql: ISql, data: DataSchema, knownSchema: KnownSchema): Promise<void> {
  const tables = data.tables.map((table: TableDef) => ({
    name: table.name,
    properties: mergeTypes(knownSchema.tables.get(table.name)?.types ?? {}, table.properties),
  }))
  const list = JSON.stringify(tables)
  // Sorted by name, so that the numbers do not depend on the order of files in a folder.
  await sql`
    insert into ingot.tables (name, properties)
    select t->>'name', t->'properties' from jsonb_array_elements(${list}::text::jsonb) t order by t->>'name'
    on conflict (name) do update set properties = excluded.properties, removed_at = null, updated_at = now()
      where ingot.tables.properties <> excluded.properties or ingot.tables.removed_at is not null`
  await sql`
    update ingot.tables set removed_at = now(), updated_at = now()
    where removed_at is null and name not in (select t->>'name' from jsonb_array_elements(${list}::text::jsonb) t)`
}

export async function addMissing(sql: ISql, data: DataSchema, knownSchema: KnownSchema): Promise<void> {
  const mergeDeclared = (before: PropertyTypes, now: readonly PropertyDef[]): PropertyTypes => ({
    ...typesOf(now),
    ...before,
  })
  const tables = data.tables.map(({ name, properties }) => ({
    name,
    properties: mergeDeclared(knownSchema.tables.get(name)?.types ?? {}, properties),
  }))
  await sql`
    insert into ingot.tables (name, properties)
    select t->>'name', t->'properties' from jsonb_array_elements(${JSON.stringify(tables)}::text::jsonb) t order by t->>'name'
    on conflict (name) do update set properties = excluded.properties, updated_at = now()
      where ingot.tables.properties <> excluded.properties`
  const profiles = data.profiles.map(
    ({ name, properties }) => [name, mergeDeclared(knownSchema.profiles[name] ?? {}, properties)] as const,
  )
  const all = { ...knownSchema.profiles, ...Object.fromEntries(profiles) }
  await sql`
    update ingot.declared set user_properties = ${JSON.stringify(mergeDeclared(knownSchema.user, data.user))}::text::jsonb,
      profile_properties = ${JSON.stringify(all)}::text::jsonb`
}

function mergeTypes(before: PropertyTypes, now: readonly PropertyDef[]): PropertyTypes {
  // Properties that are columns have no values in `properties`.
  const columns = new Set(now.filter(({ column }) => column === true).map(({ name }) => name))
  return { ...Object.fromEntries(Object.entries(before).filter(([name]) => !columns.has(name))), ...typesOf(now) }
}

function typesOf(properties: readonly PropertyDef[]): PropertyTypes {
  const stored = properties.filter(({ column }) => column !== true)
  return Object.fromEntries(stored.map(({ name, type }) => [name, type]))
}

// Other parts of a declaration, such as defaults and options, do not affect stored values.
export function schemaDigest(data: DataSchema): string {
  const properties = (list: readonly PropertyDef[]): unknown =>
    list.map(({ name, type, column }) => [name, column === true ? 'column' : type]).toSorted(byName)
  const tableDeclarations = (tables: readonly TableDef[]): unknown =>
    tables.map((table) => [table.name, properties(table.properties)] as const).toSorted(byName)
  const all = [tableDeclarations(data.tables), properties(data.user), tableDeclarations(data.profiles)]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

function byName(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1
}
