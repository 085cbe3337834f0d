/** The catalog of tables, by name and number: of a database, or with made-up numbers for the compiler. */
import type { DataSchema, PropertyDef } from '../../page/compiled.ts'
import type { Catalog } from './model.ts'

/** @param ids the numbers of the tables in the database; a table without a number is unknown */
export function createCatalog(data: DataSchema, ids: ReadonlyMap<string, number>): Catalog {
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  const tables = new Map(data.tables.map((table) => [table.name, byName(table.properties)]))
  const profiles = new Map(data.profiles.map((profile) => [profile.name, byName(profile.properties)]))
  const userProperties = byName(data.user)
  return {
    data,
    tableId: (name) => (tables.has(name) ? (ids.get(name) ?? null) : null),
    tableName: (id) => names.get(id) ?? null,
    properties: (table) => tables.get(table) ?? null,
    userProperties,
    // Every user has the profile `default`, even undeclared.
    profileProperties: (type) => profiles.get(type) ?? (type === 'default' ? new Map() : null),
  }
}

/** A catalog for planning without a database; numbers follow the order of declaration, so no query can mean them. */
export function planningCatalog(data: DataSchema): Catalog {
  const catalog = createCatalog(data, new Map(data.tables.map((table, at) => [table.name, at + 1])))
  return { ...catalog, tableName: () => null }
}

function byName(properties: readonly PropertyDef[]): ReadonlyMap<string, PropertyDef> {
  return new Map(properties.map((property) => [property.name, property]))
}
