/**
 * Turns a row of the service's forms into one of Ingot's: other names of columns, the table inside of the row, and files and
 * addresses that hang on it by the name of a property.
 */
import type { PropertyDef } from '../../../../runtime/page/compiled.ts'
import { castText } from '../../../../runtime/data/values/cast.ts'
import { plainJson } from '../../../../runtime/data/values/json-text.ts'
import { USER_TEXTS } from '../../../../runtime/data/values/user-columns.ts'
import type { ImportSchema } from '../check.ts'
import { keyOf } from '../relations.ts'
import type { OwnedValue } from '../rows.ts'
import { TABLE_COLUMNS } from './items.ts'

export type Row = Readonly<Record<string, unknown>>

export interface ValueOptions {
  readonly schema: ImportSchema
  /** The key of this database when ids of the file become external ids; null when they stay ids. */
  readonly keysOf: string | null
  /** @throws QueryError for a password that is too short */
  readonly hash: (password: string) => Promise<string>
}

/** A row in Ingot's form, and the names of what it has no place for. */
export interface TurnedRow {
  readonly value: Row
  readonly left: readonly { readonly property: string; readonly reason: string }[]
}

/** What the service knows of a row and a site does not need. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['instance_id', 'authentication_token', 'time_zone', '__typename', 'custom_model_type_id', 'model_schema_id'],
  ...['table_id', 'parameterized_name', 'remote', 'total_entries'],
])

/** Columns that are read together, after the others. */
const BY_ITSELF: ReadonlySet<string> = new Set(['id', 'external_id', 'properties'])

const HANGING: ReadonlySet<string> = new Set(['addresses', 'images', 'attachments'])

/** A record, or a transactable, which is a record of the table of its type. */
export function turnRecord(row: Row, table: string, options: ValueOptions): TurnedRow {
  const turn = new Turn(options)
  const properties = options.schema.tables.get(table)
  for (const [name, value] of Object.entries(row)) {
    if (value === undefined || IGNORED.has(name) || HANGING.has(name) || isTableColumn(name)) continue
    if (BY_ITSELF.has(name)) continue
    if (name === 'creator_id') turn.set('user_id', value)
    else if (RECORD.has(name)) turn.set(name, value)
    else if (name === 'slug' && properties?.has('slug') === true) turn.property('slug', value)
    else turn.leave(name, 'a record has no such column')
  }
  turn.hang(row, properties ?? new Map(), null)
  turn.identify(row['id'], row['external_id'])
  return turn.done(row)
}

const RECORD: ReadonlySet<string> = new Set([
  ...['user_id', 'name', 'customizable_id', 'customizable_type'],
  ...['created_at', 'updated_at', 'deleted_at', 'undeclared'],
])

function isTableColumn(name: string): boolean {
  return (TABLE_COLUMNS as readonly string[]).includes(name)
}

/** A user with the profiles. */
export async function turnUser(row: Row, options: ValueOptions): Promise<TurnedRow> {
  const turn = new Turn(options)
  for (const [name, value] of Object.entries(row)) {
    if (value === undefined || IGNORED.has(name) || HANGING.has(name)) continue
    if (BY_ITSELF.has(name)) continue
    if (name === 'password') await turn.password(value)
    else if (name === 'encrypted_password') turn.hashed(value)
    else if (name === 'slug') turn.set('slug', value === '' ? undefined : value)
    else if (name === 'profiles') turn.set('profiles', turn.profiles(value))
    else if (USER.has(name)) turn.set(name, value)
    else turn.leave(name, 'a user has no such column')
  }
  turn.hang(row, options.schema.user, null)
  turn.identify(row['id'], row['external_id'])
  return turn.done(row)
}

const USER: ReadonlySet<string> = new Set([...USER_TEXTS, ...['created_at', 'updated_at', 'deleted_at', 'undeclared']])

/** A profile that names its user. */
export function turnProfile(row: Row, options: ValueOptions): TurnedRow {
  const turn = new Turn(options)
  return turn.done({}, turn.profile(row))
}

/** Collects the parts of one row. */
class Turn {
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

  leave(property: string, reason: string): void {
    this.#left.push({ property, reason })
  }

  /**
   * The id of the row: its external id here, unless ids stay. Where it has an external id of its own, other rows name it by
   * the id all the same.
   */
  identify(id: unknown, external: unknown): void {
    const { keysOf } = this.#options
    const given = external === undefined || external === null || external === '' ? null : external
    const key = keysOf === null ? null : keyOf(id, keysOf)
    if (keysOf === null) this.set('id', id === null || id === '' ? undefined : id)
    else if (key !== null && 'id' in key) this.set('id', key.id)
    else if (key !== null && given !== null && `${given as string}` !== key.key) this.set('alias', key.key)
    if (keysOf === null ? external !== undefined : given !== null) this.set('external_id', external)
    else if (key !== null && 'key' in key) this.set('external_id', key.key)
  }

  async password(given: unknown): Promise<void> {
    if (typeof given !== 'string' || given === '') return
    this.set('encrypted_password', await this.#options.hash(given))
  }

  /** A text that is no hash can open no account: such a user needs a new password. */
  hashed(given: unknown): void {
    if (given === null || given === '') return
    if (typeof given === 'string' && /^\$(?:argon2id|2[abxy])\$/.test(given)) this.set('encrypted_password', given)
    else this.leave('encrypted_password', 'it is no hash of argon2id or bcrypt: the user needs a new password')
  }

  profiles(given: unknown): unknown {
    if (!Array.isArray(given)) return given ?? undefined
    return (given as readonly unknown[]).map((profile) => (isRow(profile) ? this.profile(profile) : profile))
  }

  /** The profile in Ingot's form; what hangs on it is collected for its user. */
  profile(row: Row): Row {
    const type = row['profile_type'] ?? row['type_name'] ?? row['instance_profile_type_name'] ?? row['name']
    const declared =
      (typeof type === 'string' ? this.#options.schema.profiles.get(type) : undefined) ?? new Map<string, PropertyDef>()
    const own: [string, unknown][] = []
    const value: Record<string, unknown> = { profile_type: type }
    for (const [name, each] of Object.entries(row)) {
      if (each === undefined || each === null || IGNORED.has(name) || HANGING.has(name)) continue
      if (name === 'id' && this.#options.keysOf !== null) continue
      if (PROFILE.has(name)) value[name] = each
      else if (!TYPE_COLUMNS.has(name)) this.leave(name, 'a profile has no such column')
    }
    if (typeof type === 'string') this.hang(row, declared, type, own)
    const given = value['properties']
    if (isRow(given) || own.length > 0)
      value['properties'] = { ...(isRow(given) ? given : {}), ...Object.fromEntries(own) }
    return value
  }

  /**
   * Puts files and addresses into the properties of their names, and collects the others.
   * @param profile the type of the profile that they hang on; null for the row itself
   */
  hang(
    row: Row,
    declared: ReadonlyMap<string, PropertyDef>,
    profile: string | null,
    into: [string, unknown][] = this.#properties,
  ): void {
    for (const [column, kind] of [
      ['images', 'image'],
      ['attachments', 'attachment'],
    ] as const)
      for (const item of listOf(row[column])) {
        const name = item['name']
        const address = item['direct_path'] ?? item['url'] ?? item['path']
        if (typeof name !== 'string' || typeof address !== 'string' || address === '') continue
        const file = castText(UPLOAD, address)
        if (file === null) this.leave(name, `'${address}' is no address of a file`)
        else if (FILES.has(declared.get(name)?.type ?? '')) into.push([name, JSON.parse(file)])
        else this.#owned.push({ kind, profile, name, value: file })
      }
    for (const { name, ...fields } of listOf(row['addresses'])) {
      if (typeof name !== 'string') continue
      const text = plainJson(fields)
      if (text === null) this.leave(name, 'it holds NUL, which cannot be stored')
      else if (declared.get(name)?.type === 'address') into.push([name, fields])
      else this.#owned.push({ kind: 'address', profile, name, value: text })
    }
  }

  /** @param value instead of the collected columns */
  done(row: Row, value: Row = this.#value): TurnedRow {
    const given = row['properties']
    const properties =
      isRow(given) || this.#properties.length > 0
        ? { properties: { ...(isRow(given) ? given : {}), ...Object.fromEntries(this.#properties) } }
        : given === undefined || given === null
          ? {}
          : { properties: given }
    const owned = this.#owned.length > 0 ? { owned: this.#owned } : {}
    return { value: { ...value, ...properties, ...owned }, left: this.#left }
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

function listOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isRow) : []
}
