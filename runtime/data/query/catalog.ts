/**
 * The catalogs of tables by name and number. The server's catalog has the numbers in the database. The compiler's catalog has made-up
 * numbers.
 */
import type { DataSchema, PropertyDef } from '../../page/compiled.ts'
import type { Catalog } from './model.ts'

/**
 * Creates a catalog from the declared tables.
 * @param ids numbers of the tables in the database; a table without a number is unknown
 */
export function createCatalog(data: DataSchema, ids: ReadonlyMap<string, number>): Catalog {
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  const tables = new Map(data.tables.map((table) => [table.name, propertiesByName(table.properties)]))
  const profiles = new Map(data.profiles.map((profile) => [profile.name, propertiesByName(profile.properties)]))
  const userProperties = propertiesByName(data.user)
  return {
    data,
    tableId: (name) => (tables.has(name) ? (ids.get(name) ?? null) : null),
    tableName: (id) => names.get(id) ?? null,
    properties: (table) => tables.get(table) ?? null,
    userProperties,
    // Every user has the profile `default`, even when the site does not declare it.
    profileProperties: (type) => profiles.get(type) ?? (type === 'default' ? new Map() : null),
  }
}

/**
 * Creates a catalog for planning without a database. Tables are numbered in the order of declaration. Table numbers in queries never match
 * these numbers.
 */
export function planningCatalog(data: DataSchema): Catalog {
  const catalog = createCatalog(data, new Map(data.tables.map((table, at) => [table.name, at + 1])))
  return { ...catalog, tableName: () => null }
}

function propertiesByName(properties: readonly PropertyDef[]): ReadonlyMap<string, PropertyDef> {
  return new Map(properties.map((property) => [property.name, property]))
}
