/** What a site declares about its data, as the plain values that the planner of queries and the server work with. */
import type { DataSchema, PropertyDef, TableDef } from '../../core/model/operation.ts'
import type { ConfigSettings, Property, SettingTree, TableSettings } from '../../core/model/settings.ts'
import { isOfKind, type Unit } from '../../core/model/unit.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import { isRecord } from '../../core/source/records.ts'

/** `tables` and `profiles` are the files that count, by logical name; the schema of users is that of all files together. */
export function dataSchema(
  tables: ReadonlyMap<string, Unit<TableSettings>>,
  profiles: ReadonlyMap<string, Unit<TableSettings>>,
  units: readonly Unit[],
  { searchIndexes, rejectNullGeojsonCoordinates: located }: Pick<ConfigSettings, DataSetting>,
): DataSchema {
  const propertiesIn = (unit: Unit<TableSettings>): readonly PropertyDef[] => propertiesOf(unit, located)
  const tableOf = ([name, unit]: readonly [string, Unit<TableSettings>]): TableDef => {
    const { metadata } = unit.settings
    return { name, file: unit.file.path, properties: propertiesIn(unit), ...metadataOf(metadata) }
  }
  return {
    tables: [...tables].map(tableOf).sort(byName),
    user: firstOfEachName(units.filter((unit) => isOfKind(unit, 'user_schema')).flatMap(propertiesIn)),
    profiles: [...profiles].map(tableOf).sort(byName),
    ...(searchIndexes.length > 0 && { searchIndexes }),
  }
}

type DataSetting = 'searchIndexes' | 'rejectNullGeojsonCoordinates'

function byName(a: TableDef, b: TableDef): number {
  return a.name < b.name ? -1 : 1
}

/** A file that could not be read has no settings: its diagnostics say so. */
function propertiesOf(unit: Unit<TableSettings>, located: boolean): readonly PropertyDef[] {
  return unit.settings.properties.map((property) => propertyOf(property, located))
}

/** The application's files come before those of modules, so the first of a name is the application's. */
function firstOfEachName(properties: readonly PropertyDef[]): readonly PropertyDef[] {
  return properties.filter(({ name }, at) => properties.findIndex((each) => each.name === name) === at)
}

/** @param located whether points need coordinates */
function propertyOf(property: Property, located: boolean): PropertyDef {
  const { name, type, text, column, default: defaultValue, belongsTo, options, versions, metadata } = property
  const kept = {
    ...mappingIn(options),
    ...(versions?.kind === 'map' && { versions_configuration: plainYaml(versions) }),
  }
  return {
    name,
    type,
    ...(text ? { text } : {}),
    ...(column ? { column } : {}),
    default: defaultValue === null ? null : plainSetting(defaultValue),
    belongsTo: belongsTo?.name ?? null,
    options: options?.kind === 'map' || versions?.kind === 'map' ? kept : null,
    ...(located && type === 'geojson' ? { located } : {}),
    ...metadataOf(metadata),
  }
}

function metadataOf(node: YamlNode | null): Pick<TableDef, 'metadata'> {
  const metadata = mappingIn(node)
  return metadata === null ? {} : { metadata }
}

/** Returns a mapping as a plain record, or null for any other node. */
function mappingIn(node: YamlNode | null): Readonly<Record<string, unknown>> | null {
  const plain = node === null ? null : plainYaml(node)
  return isRecord(plain) ? plain : null
}

/** Liquid in a default is text: rows are made without a template around them. */
function plainSetting(tree: SettingTree): unknown {
  switch (tree.kind) {
    case 'plain':
      return plainScalar(tree.value)
    case 'liquid':
      return tree.text
    case 'list':
      return tree.items.map(plainSetting)
    case 'map':
      return Object.fromEntries([...tree.entries].map(([key, value]) => [key, plainSetting(value)]))
  }
}

function plainYaml(node: YamlNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return plainScalar(node.value)
    case 'list':
      return node.items.map(plainYaml)
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainYaml(value)]))
  }
}

/** Values of JSON only: a number that it cannot hold is its text. */
function plainScalar(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
