/** Finds the file URLs in rows of an import, and replaces them by stored files. */
import { readUploadPath } from '../../../../runtime/data/values/upload-path.ts'
import type { PropertyDef } from '../../../../runtime/page/compiled.ts'
import type { ImportSchema } from '../../../web/transfer/import-schema.ts'
import type { OwnedValue, ReadRow } from '../../../web/transfer/rows.ts'
import type { StoredFile } from '../../../web/files/model.ts'
import { pathProblem } from '../deploys/paths.ts'

/** A file that a row refers to. */
export interface NamedFile {
  /** Key by which the file is fetched once, even if many rows refer to it. */
  readonly name: string
  /** URL of the file, or its path in an archive of uploads. */
  readonly address: string
  /** The property of the file; null for files that belong to the row itself. */
  readonly property: PropertyDef | null
}

/** Types of properties that hold a file. */
export const FILE_TYPES: ReadonlySet<PropertyDef['type']> = new Set(['upload', 'file', 'photo'])
type Properties = ReadonlyMap<string, PropertyDef>
type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the row with replaced files.
 * @param replace returns the stored file for a named one; null leaves it unchanged
 */
export function withFiles(
  row: ReadRow,
  schema: ImportSchema,
  replace: (file: NamedFile) => StoredFile | null,
): ReadRow {
  if ((row.kind !== 'row' && row.kind !== 'profile') || !isFields(row.value)) return row
  const { value, location } = row
  const change: Change = { schema, replace }
  if (row.kind === 'profile') return { ...row, value: profileWith(value, change) }
  const { table } = location
  const declaredProperties = (table === null ? schema.user : schema.tables.get(table)) ?? NO_PROPERTIES
  const { profiles } = value
  const changed = {
    ...fieldsWith(value, declaredProperties, table ?? 'users', change),
    ...(Array.isArray(profiles) && {
      profiles: profiles.map((profile: unknown) => (isFields(profile) ? profileWith(profile, change) : profile)),
    }),
  }
  return { ...row, value: changed }
}

const NO_PROPERTIES: Properties = new Map()

interface Change {
  readonly schema: ImportSchema
  readonly replace: (file: NamedFile) => StoredFile | null
}

function profileWith(profile: Fields, change: Change): Fields {
  const type = profile['profile_type']
  const declaredProperties = (typeof type === 'string' ? change.schema.profiles.get(type) : undefined) ?? NO_PROPERTIES
  return fieldsWith(profile, declaredProperties, `profiles/${String(type)}`, change)
}

function fieldsWith(row: Fields, declaredProperties: Properties, name: string, { replace }: Change): Fields {
  const { properties, owned } = row
  return {
    ...row,
    ...(isFields(properties) && { properties: propertiesWith(properties, declaredProperties, name, replace) }),
    ...(Array.isArray(owned) && { owned: owned.map((one: OwnedValue) => ownedWith(one, replace)) }),
  }
}

function propertiesWith(
  givenValues: Fields,
  declaredProperties: Properties,
  text: string,
  replace: Change['replace'],
): Fields {
  let changed: Record<string, unknown> | null = null
  for (const [name, property] of declaredProperties) {
    if (!FILE_TYPES.has(property.type) || !Object.hasOwn(givenValues, name)) continue
    const address = addressIn(givenValues[name])
    const file = address === null ? null : replace({ name: `${text}.${name} ${address}`, address, property })
    if (file !== null) (changed ??= { ...givenValues })[name] = file
  }
  return changed ?? givenValues
}

function ownedWith(owned: OwnedValue, replace: Change['replace']): OwnedValue {
  if (owned.kind === 'address') return owned
  const address = addressIn(JSON.parse(owned.value))
  const file = address === null ? null : replace({ name: `${owned.kind} ${address}`, address, property: null })
  if (file === null) return owned
  const { path, file_name, extension, versions } = file
  return { ...owned, value: JSON.stringify({ path, file_name, extension, versions }) }
}

/** Returns the URL, or the path in an archive of uploads, in a value; null when it has neither. */
function addressIn(value: unknown): string | null {
  const givenValue = isFields(value) ? (value['path'] ?? value['url']) : value
  if (typeof givenValue !== 'string') return null
  const address = givenValue.trim()
  if (/^https?:\/\//i.test(address)) return URL.canParse(address) ? address : null
  return pathProblem(address) === null && readUploadPath(address) === null ? address : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
