/** Settings of the properties of tables, users and user profiles. */
import * as z from 'zod'
import { missingSetting } from '../../core/diagnostics/codes/settings/missing-setting.ts'
import { ownColumn } from '../../core/diagnostics/codes/values/own-column.ts'
import { settingRefused } from '../../core/diagnostics/codes/settings/setting-refused.ts'
import { suggestName } from '../../core/diagnostics/change.ts'
import { findNearest } from '../../core/diagnostics/suggest.ts'
import { joinWithOr, joinWithAnd, quote } from '../../core/diagnostics/words.ts'
import type { PropertyType } from '../../core/model/operation.ts'
import type { Property } from '../../core/model/settings.ts'
import { entryOf, type YamlMap, type YamlNode, type YamlScalar } from '../../core/source/yaml.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { settingTree } from './liquid-text.ts'
import { checkDefault } from './plain-values.ts'
import { anything, type Entries, type SettingKeys, mapping, type Reporter, section, text } from './setting.ts'
import { checkUploadOptions, uploadKeys } from './upload-options.ts'
import { keysOf } from '../../core/source/records.ts'

/** The types of properties, with a description. `old`: newer sites do not use the type. */
export const PROPERTY_TYPES: Readonly<Record<PropertyType, { readonly description: string; readonly old?: boolean }>> =
  {
    string: { description: 'A text. `text` is an older name.' },
    integer: { description: 'A whole number.' },
    float: { description: 'A number.' },
    decimal: { description: 'A number of any size, with exact decimal digits.' },
    datetime: { description: 'A date and time, such as `2030-01-31T12:00:00Z`.' },
    time: { description: 'A time of day.' },
    date: { description: 'A date, such as `2030-01-31`.' },
    binary: { description: 'Bytes, encoded as text.' },
    boolean: { description: '`true` or `false`.' },
    array: { description: 'A list of texts.' },
    address: { description: 'A postal address.', old: true },
    file: { description: 'A file. Use `upload` instead.', old: true },
    photo: { description: 'An image. Use `upload` instead.', old: true },
    geojson: { description: 'A point or shape on the map, as GeoJSON.' },
    upload: { description: 'An uploaded file. Images can have smaller versions.' },
  }

const TYPES = keysOf(PROPERTY_TYPES)
/** The types in the order of the platform, with the older name of `string`. */
const ON_PLATFORM: readonly string[] = TYPES.flatMap((type) => (type === 'geojson' ? ['text', type] : [type]))
/** Types whose `options` configure how files are stored. */
const FILE_TYPES: ReadonlySet<PropertyType> = new Set(['upload', 'file', 'photo'])

/**
 * Names that properties of users and user profiles cannot have. Tables may declare those that are columns of their records
 * (`OWN_COLUMNS`), but no other name in this list.
 */
export const RESERVED_PROPERTIES: readonly string[] = [
  'id',
  'external_id',
  'created_at',
  'updated_at',
  'deleted_at',
  'table',
  'model_name',
]

/**
 * Columns that every record has, with their types. A table file may declare them as properties. Then the property is the column, and
 * the type in the file is ignored.
 */
export const OWN_COLUMNS: ReadonlyMap<string, PropertyType> = new Map([
  ['id', 'string'],
  ['external_id', 'string'],
  ['user_id', 'string'],
  ['created_at', 'datetime'],
  ['updated_at', 'datetime'],
  ['deleted_at', 'datetime'],
])

/** Additional data for programs that read the schema. */
function metadataKey(noun: string): { readonly schema: typeof mapping; readonly description: string } {
  return {
    schema: mapping,
    description: `Custom data about the ${noun}. \`admin_tables\` returns it unchanged.`,
  }
}

/** The keys of a property. */
export const propertyItemKeys = {
  name: { schema: text, description: 'The name of the property in queries and forms.', required: true },
  // Checked in `typeOf`, because the error message of the platform lists the valid types.
  type: {
    schema: anything,
    takes: `one of ${joinWithOr(TYPES, 20)}`,
    description: 'The type of its values.',
    default: 'string',
  },
  default_value: { schema: anything, description: 'The value of new records if none is given.' },
  belongs_to: {
    schema: text,
    description: 'The table of the record whose id this property contains. It only documents the schema.',
  },
  options: {
    schema: mapping,
    below: uploadKeys,
    description: 'How the files of an `upload` are stored.',
  },
  versions_configuration: {
    schema: mapping,
    takes: 'a mapping of version names to `width` and `height`',
    description:
      'The sizes of a `photo`. They are added to `mini`, `thumb` and `normal`, or replace them. For an `upload`, use `options`.',
  },
  metadata: metadataKey('property'),
} as const

export const propertyKeys = {
  properties: {
    schema: z.array(section(propertyItemKeys, 'a mapping with a `name`'), { error: 'a list of properties' }),
    description: 'The properties. Each is a mapping with at least a `name`.',
    default: [],
    see: 'properties',
    refused: true,
  },
  custom_attributes: {
    schema: z.array(mapping, { error: 'a list of properties' }),
    deprecated: 'properties',
    description: 'Older name of `properties`.',
    refused: true,
  },
  metadata: metadataKey('table'),
} as const

/** Reads a list of properties. Properties without a name or with an invalid name are reported and left out. */
export function properties(
  list: YamlNode | null,
  noun: string,
  { file, report }: Pick<Entries<SettingKeys>, 'file' | 'report'>,
): readonly Property[] {
  if (list?.kind !== 'list') return []
  const seenNames = new Set<string>()
  return list.items.flatMap((item) => {
    if (item.kind !== 'map') return []
    const parsedProperty = property(item, noun, file, report)
    if (parsedProperty === null) return []
    if (seenNames.has(parsedProperty.name)) {
      report.add(
        settingRefused(parsedProperty.span, `The ${noun} has two properties named ${quote(parsedProperty.name)}`),
      )
      return []
    }
    seenNames.add(parsedProperty.name)
    return [parsedProperty]
  })
}

function property(item: YamlMap, noun: string, file: SourceFile, report: Reporter): Property | null {
  const name = scalarAt(item, 'name')
  if (name === null) {
    const keys = Object.keys(propertyItemKeys)
    const misspelled = item.entries.find(({ key }) => !keys.includes(key) && findNearest(key, keys) === 'name')
    const span = misspelled?.keySpan ?? item.entries[0]?.keySpan ?? item.span
    report.add(missingSetting(span, 'name', 'property', misspelled?.key ?? null))
    return null
  }
  const column = noun === 'table' ? OWN_COLUMNS.get(name.text) : undefined
  if (column !== undefined) {
    report.add(ownColumn(name.span, name.text))
    return {
      name: name.text,
      span: name.span,
      type: column,
      text: false,
      column: true,
      default: null,
      belongsTo: null,
      options: null,
      versions: null,
      metadata: null,
    }
  }
  if (RESERVED_PROPERTIES.includes(name.text)) {
    const reason = `A property cannot be named ${quote(name.text)}, because every ${noun} already has it`
    report.add(
      settingRefused(name.span, reason, {
        hint: `The reserved names are ${joinWithAnd(noun === 'table' ? RESERVED_PROPERTIES.filter((each) => !OWN_COLUMNS.has(each)) : RESERVED_PROPERTIES)}.`,
      }),
    )
    return null
  }
  const belongsTo = scalarAt(item, 'belongs_to')
  const value = entryOf(item, 'default_value')?.value
  const type = typeOf(item, report)
  if (value !== undefined) checkDefault(type, value, report)
  const options = entryOf(item, 'options')
  // Options that are not a mapping are already reported.
  if (options?.value.kind === 'map' && FILE_TYPES.has(type)) checkUploadOptions(options, file, report)
  return {
    name: name.text,
    span: name.span,
    type,
    text: scalarAt(item, 'type')?.text === 'text',
    column: false,
    default: value === undefined ? null : settingTree(value),
    belongsTo: belongsTo === null ? null : { name: belongsTo.text, span: belongsTo.span },
    options: options?.value ?? null,
    versions: type === 'photo' ? (entryOf(item, 'versions_configuration')?.value ?? null) : null,
    metadata: entryOf(item, 'metadata')?.value ?? null,
  }
}

function typeOf(item: YamlMap, report: Reporter): PropertyType {
  const typeScalar = scalarAt(item, 'type')
  if (typeScalar === null || typeScalar.text === 'text') return 'string'
  const knownType = TYPES.find((type) => type === typeScalar.text)
  if (knownType === undefined) {
    const fix = suggestName(typeScalar.text, TYPES) ?? { hint: `The types are ${joinWithOr(TYPES, 20)}.` }
    report.add(
      settingRefused(
        typeScalar.span,
        `There is no property type named ${quote(typeScalar.text)}`,
        fix,
        `Attribute type ${quote(typeScalar.text)} is not allowed. Valid attribute types: ${ON_PLATFORM.join(', ')}`,
      ),
    )
  }
  return knownType ?? 'string'
}

/** Returns the scalar below a key; null if there is none or if it is empty. */
function scalarAt(item: YamlMap, key: string): YamlScalar | null {
  const value = entryOf(item, key)?.value
  return value?.kind === 'scalar' && value.value !== null && value.text !== '' ? value : null
}
