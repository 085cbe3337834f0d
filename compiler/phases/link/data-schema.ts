/** Collects a site's data declarations as plain values for the query planner and the server. */
import type { DataSchema, PropertyDef, TableDef } from '../../core/model/operation.ts'
import type { ConfigSettings, Property, SettingTree, TableSettings } from '../../core/model/settings.ts'
import type { Unit } from '../../core/model/unit.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import { isRecord } from '../../core/source/records.ts'

/** Returns the data schema. `tables` and `profiles` are the files in effect, by logical name. All files of the user schema are combined. */
export function buildDataSchema(
  tables: ReadonlyMap<string, Unit<TableSettings>>,
  profiles: ReadonlyMap<string, Unit<TableSettings>>,
  userSchemas: readonly Unit<TableSettings>[],
  { searchIndexes, rejectNullGeojsonCoordinates: located }: Pick<ConfigSettings, DataSetting>,
): DataSchema {
  const propertiesIn = (unit: Unit<TableSettings>): readonly PropertyDef[] => propertiesOf(unit, located)
  const tableOf = ([name, unit]: readonly [string, Unit<TableSettings>]): TableDef => {
    const { metadata } = unit.settings
    return { name, file: unit.file.path, properties: propertiesIn(unit), ...metadataOf(metadata) }
  }
  return {
    tables: [...tables].map(tableOf).sort(byName),
    user: uniqueByName(userSchemas.flatMap(propertiesIn)),
    profiles: [...profiles].map(tableOf).sort(byName),
    ...(searchIndexes.length > 0 && { searchIndexes }),
  }
}

type DataSetting = 'searchIndexes' | 'rejectNullGeojsonCoordinates'

function byName(a: TableDef, b: TableDef): number {
  return a.name < b.name ? -1 : 1
}

/** Returns the declared properties; empty for a file that could not be parsed, which is reported elsewhere. */
function propertiesOf(unit: Unit<TableSettings>, located: boolean): readonly PropertyDef[] {
  return unit.settings.properties.map((property) => propertyOf(property, located))
}

/** Returns the first declaration of each name. The application's files come before those of modules. */
function uniqueByName(properties: readonly PropertyDef[]): readonly PropertyDef[] {
  return properties.filter(({ name }, at) => properties.findIndex((each) => each.name === name) === at)
}

/** @param located whether points have coordinates */
function propertyOf(property: Property, located: boolean): PropertyDef {
  const { name, type, text, column, default: defaultValue, belongsTo, options, versions, metadata } = property
  const optionRecord = {
    ...mappingIn(options?.kind === 'map' ? options : null),
    ...(versions?.kind === 'map' && { versions_configuration: toPlainYaml(versions) }),
  }
  return {
    name,
    type,
    ...(text ? { text } : {}),
    ...(column ? { column } : {}),
    default: defaultValue === null ? null : toPlainSetting(defaultValue),
    belongsTo: belongsTo?.name ?? null,
    options: options?.kind === 'map' || versions?.kind === 'map' ? optionRecord : null,
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
  const plainValue = node === null ? null : toPlainYaml(node)
  return isRecord(plainValue) ? plainValue : null
}

/** Returns a setting as a plain value. Liquid in a default value is plain text, because rows are created outside of templates. */
function toPlainSetting(tree: SettingTree): unknown {
  switch (tree.kind) {
    case 'plain':
      return toPlainScalar(tree.value)
    case 'liquid':
      return tree.text
    case 'list':
      return tree.items.map(toPlainSetting)
    case 'map':
      return Object.fromEntries([...tree.entries].map(([key, value]) => [key, toPlainSetting(value)]))
  }
}

function toPlainYaml(node: YamlNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return toPlainScalar(node.value)
    case 'list':
      return node.items.map(toPlainYaml)
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toPlainYaml(value)]))
  }
}

/** Returns a JSON value. A number that JSON cannot represent becomes its text. */
function toPlainScalar(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
