/** The declared tables and properties against which imported rows are checked, and messages about names that they do not contain. */
import type { DataSchema, PropertyDef } from '../../../runtime/page/compiled.ts'
import { nearest } from '../../../runtime/data/query/suggest.ts'
import { defaultTexts, type StoredTexts } from '../../../runtime/data/query/writes/stored-values.ts'

/** Declared properties by name. */
export type Properties = ReadonlyMap<string, PropertyDef>

/** The declared properties of a site, for checking rows. */
export interface ImportSchema {
  /** The properties of each table. */
  readonly tables: ReadonlyMap<string, Properties>
  readonly user: Properties
  readonly profiles: ReadonlyMap<string, Properties>
  /** Default values of new rows. */
  readonly defaults: ReadonlyMap<Properties, StoredTexts>
}

/** Creates the schema for checking rows. */
export function createImportSchema(data: DataSchema): ImportSchema {
  const defaults = new Map<Properties, StoredTexts>()
  const byName = (list: readonly PropertyDef[]): Properties => {
    const properties = new Map(list.map((each) => [each.name, each]))
    defaults.set(properties, defaultTexts(list))
    return properties
  }
  const profiles = new Map(data.profiles.map((each) => [each.name, byName(each.properties)]))
  if (!profiles.has('default')) profiles.set('default', byName([]))
  return {
    tables: new Map(data.tables.map((each) => [each.name, byName(each.properties)])),
    user: byName(data.user),
    profiles,
    defaults,
  }
}

/** Describes an unknown table and suggests existing tables, as part of a sentence. */
export function describeUnknownTable(table: string, schema: ImportSchema): string {
  return `there is no table '${table}'${suggestNames(table, 'the site has', schema.tables.keys())}`
}

/** Ends a message with `: did you mean 'a'?`, or with a short list of names: `: the columns are a, b, c`. */
export function suggestNames(name: string, prefix: string, names: Iterable<string>): string {
  const allNames = [...names]
  const nearestName = nearest(name, allNames)
  if (nearestName !== null) return `: did you mean '${nearestName}'?`
  if (allNames.length === 0) return ''
  return `: ${prefix} ${allNames.slice(0, 20).join(', ')}${allNames.length > 20 ? ', …' : ''}`
}
