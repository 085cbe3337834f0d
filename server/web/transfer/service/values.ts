/**
 * Converts rows of the service's formats to Ingot's format. Column names differ, the table is part of the row, and
 * files and addresses are assigned to properties by name.
 */
import type { PropertyDef } from '../../../../runtime/page/compiled.ts'
import { castText } from '../../../../runtime/data/values/cast.ts'
import { plainJson } from '../../../../runtime/data/values/json-text.ts'
import { USER_TEXTS } from '../../../../runtime/data/values/user-columns.ts'
import type { ImportSchema } from '../import-schema.ts'
import { parseKey } from '../relations.ts'
import type { OwnedValue } from '../rows.ts'
import { TABLE_COLUMNS } from './items.ts'

export type Row = Readonly<Record<string, unknown>>

export interface ValueOptions {
  readonly schema: ImportSchema
  /** The key of this database when ids of the file become external ids; null when they stay ids. */
  readonly keysOf: string | null
  /**
   * Hashes a password.
   * @throws QueryError for a password that is too short
   */
  readonly hash: (password: string) => Promise<string>
}

/** A row in Ingot's format, and the values that were not imported. */
export interface ConvertedRow {
  readonly value: Row
  readonly leftOut: readonly { readonly property: string; readonly reason: string }[]
}

/** Columns of the service that Ingot does not need. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['instance_id', 'authentication_token', 'time_zone', '__typename', 'custom_model_type_id', 'model_schema_id'],
  ...['table_id', 'parameterized_name', 'remote', 'total_entries'],
])

/** Columns that are converted after the other columns. */
const SEPARATE_COLUMNS: ReadonlySet<string> = new Set(['id', 'external_id', 'properties'])

const OWNED_COLUMNS: ReadonlySet<string> = new Set(['addresses', 'images', 'attachments'])

/** Converts a record. A transactable is a record of the table of its type. */
export function convertRecord(row: Row, table: string, options: ValueOptions): ConvertedRow {
  const converter = new RowConverter(options)
  const properties = options.schema.tables.get(table)
  for (const [name, value] of Object.entries(row)) {
    if (value === undefined || IGNORED.has(name) || OWNED_COLUMNS.has(name) || isTableColumn(name)) continue
    if (SEPARATE_COLUMNS.has(name)) continue
    if (name === 'creator_id') converter.set('user_id', value)
    else if (RECORD.has(name)) converter.set(name, value)
    else if (name === 'slug' && properties?.has('slug') === true) converter.property('slug', value)
    else converter.leaveOut(name, 'a record has no such column')
  }
  converter.addOwned(row, properties ?? new Map(), null)
  converter.identify(row['id'], row['external_id'])
  return converter.finish(row)
}

const RECORD: ReadonlySet<string> = new Set([
  ...['user_id', 'name', 'customizable_id', 'customizable_type'],
  ...['created_at', 'updated_at', 'deleted_at', 'undeclared'],
])

function isTableColumn(name: string): boolean {
  return TABLE_COLUMNS.some((column) => column === name)
}

/** Converts a user and its profiles. */
export async function convertUser(row: Row, options: ValueOptions): Promise<ConvertedRow> {
  const converter = new RowConverter(options)
  for (const [name, value] of Object.entries(row)) {
    if (value === undefined || IGNORED.has(name) || OWNED_COLUMNS.has(name)) continue
    if (SEPARATE_COLUMNS.has(name)) continue
    if (name === 'password') await converter.password(value)
    else if (name === 'encrypted_password') converter.passwordHash(value)
    else if (name === 'slug') converter.set('slug', value === '' ? undefined : value)
    else if (name === 'profiles') converter.set('profiles', converter.profiles(value))
    else if (USER.has(name)) converter.set(name, value)
    else converter.leaveOut(name, 'a user has no such column')
  }
  converter.addOwned(row, options.schema.user, null)
  converter.identify(row['id'], row['external_id'])
  return converter.finish(row)
}

const USER: ReadonlySet<string> = new Set([...USER_TEXTS, ...['created_at', 'updated_at', 'deleted_at', 'undeclared']])

/** Converts a profile that refers to its user. */
export function convertProfile(row: Row, options: ValueOptions): ConvertedRow {
  const converter = new RowConverter(options)
  return converter.finish({}, converter.profile(row))
}

/** Collects the values of one converted row. */
class RowConverter {
  readonly #options: ValueOptions
  readonly #value: Record<string, unknown> = {}
  readonly #properties: [string, unknown][] = []
  readonly #owned: OwnedValue[] = []
  readonly #left: { readonly property: string; readonly reason: string }[] = []

  constructor(options: ValueOptions) {
    this.#options = options
  }

  set(name: string, value: unknown): void {
    if (value !== undefined) this.#value[name] = value
  }

  property(name: string, value: unknown): void {
    this.#properties.push([name, value])
  }

  leaveOut(property: string, reason: string): void {
    this.#left.push({ property, reason })
  }

  /**
   * Sets the keys of the row. Its id becomes the external id, unless ids stay ids. If the row has a different external
   * id, other rows can still refer to it by its id.
   */
  identify(id: unknown, external: unknown): void {
    const { keysOf } = this.#options
    const externalId = external === undefined || external === null || external === '' ? null : external
    const key = keysOf === null ? null : parseKey(id, keysOf)
    if (keysOf === null) this.set('id', id === null || id === '' ? undefined : id)
    else if (key !== null && 'id' in key) this.set('id', key.id)
    else if (key !== null && externalId !== null && String(externalId) !== key.key) this.set('alias', key.key)
    if (keysOf === null ? external !== undefined : externalId !== null) this.set('external_id', external)
    else if (key !== null && 'key' in key) this.set('external_id', key.key)
  }

  async password(plainPassword: unknown): Promise<void> {
    if (typeof plainPassword !== 'string' || plainPassword === '') return
    this.set('encrypted_password', await this.#options.hash(plainPassword))
  }

  /** Sets a password hash. Other texts are not imported. Then the user needs a new password. */
  passwordHash(hash: unknown): void {
    if (hash === null || hash === '') return
    if (typeof hash === 'string' && /^\$(?:argon2id|2[abxy])\$/.test(hash)) this.set('encrypted_password', hash)
    else this.leaveOut('encrypted_password', 'it is not a hash of argon2id or bcrypt: the user needs a new password')
  }

  profiles(rawProfiles: unknown): unknown {
    if (!Array.isArray(rawProfiles)) return rawProfiles ?? undefined
    return rawProfiles.map((profile) => (isRow(profile) ? this.profile(profile) : profile))
  }

  /** Converts a profile. Addresses and files that match no property of the profile are collected for the user. */
  profile(row: Row): Row {
    const type = row['profile_type'] ?? row['type_name'] ?? row['instance_profile_type_name'] ?? row['name']
    const declaredProperties =
      (typeof type === 'string' ? this.#options.schema.profiles.get(type) : undefined) ?? new Map<string, PropertyDef>()
    const ownedProperties: [string, unknown][] = []
    const value: Record<string, unknown> = { profile_type: type }
    for (const [name, fieldValue] of Object.entries(row)) {
      if (fieldValue === undefined || fieldValue === null || IGNORED.has(name) || OWNED_COLUMNS.has(name)) continue
      if (name === 'id' && this.#options.keysOf !== null) continue
      if (PROFILE.has(name)) value[name] = fieldValue
      else if (!TYPE_COLUMNS.has(name)) this.leaveOut(name, 'a profile has no such column')
    }
    if (typeof type === 'string') this.addOwned(row, declaredProperties, type, ownedProperties)
    const properties = value['properties']
    if (isRow(properties) || ownedProperties.length > 0)
      value['properties'] = { ...(isRow(properties) ? properties : {}), ...Object.fromEntries(ownedProperties) }
    return value
  }

  /**
   * Assigns files and addresses to the properties with their names, and collects the others.
   * @param profile type of the profile that owns them; null for the row itself
   */
  addOwned(
    row: Row,
    declaredProperties: ReadonlyMap<string, PropertyDef>,
    profile: string | null,
    into: [string, unknown][] = this.#properties,
  ): void {
    for (const [column, kind] of [
      ['images', 'image'],
      ['attachments', 'attachment'],
    ] as const)
      for (const item of rowList(row[column])) {
        const name = item['name']
        const address = item['direct_path'] ?? item['url'] ?? item['path']
        if (typeof name !== 'string' || typeof address !== 'string' || address === '') continue
        const file = castText(UPLOAD, address)
        if (file === null) this.leaveOut(name, `'${address}' is not the address of a file`)
        else if (FILES.has(declaredProperties.get(name)?.type ?? '')) into.push([name, JSON.parse(file)])
        else this.#owned.push({ kind, profile, name, value: file })
      }
    for (const { name, ...fields } of rowList(row['addresses'])) {
      if (typeof name !== 'string') continue
      const text = plainJson(fields)
      if (text === null) this.leaveOut(name, 'it contains NUL, which cannot be stored')
      else if (declaredProperties.get(name)?.type === 'address') into.push([name, fields])
      else this.#owned.push({ kind: 'address', profile, name, value: text })
    }
  }

  /**
   * Returns the converted row.
   * @param value used instead of the collected columns
   */
  finish(row: Row, value: Row = this.#value): ConvertedRow {
    const rowProperties = row['properties']
    const properties =
      isRow(rowProperties) || this.#properties.length > 0
        ? { properties: { ...(isRow(rowProperties) ? rowProperties : {}), ...Object.fromEntries(this.#properties) } }
        : rowProperties === undefined || rowProperties === null
          ? {}
          : { properties: rowProperties }
    const owned = this.#owned.length > 0 ? { owned: this.#owned } : {}
    return { value: { ...value, ...properties, ...owned }, leftOut: this.#left }
  }
}

const TYPE_COLUMNS: ReadonlySet<string> = new Set(['type_name', 'instance_profile_type_name', 'name'])
const PROFILE: ReadonlySet<string> = new Set([
  ...['id', 'user_id', 'profile_type', 'properties', 'undeclared', 'created_at', 'updated_at', 'deleted_at'],
])
const FILES: ReadonlySet<string> = new Set(['upload', 'file', 'photo'])
const UPLOAD: PropertyDef = { name: '', type: 'upload', default: null, belongsTo: null, options: null }

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function rowList(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isRow) : []
}
