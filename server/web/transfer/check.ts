/**
 * Checks raw rows and converts them to staged rows. Values are converted by the same rules as in mutations. All errors
 * of a row are reported together.
 */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { QueryError } from '../../../runtime/data/query/model.ts'
import { ownColumns } from '../../../runtime/data/query/rows/own-columns.ts'
import { type ColumnKind, columnText } from '../../../runtime/data/query/writes/columns.ts'
import { undeclaredText } from '../../../runtime/data/query/writes/properties.ts'
import { joinedName, slugOf } from '../../../runtime/data/query/writes/users.ts'
import { storedText } from '../../../runtime/data/query/writes/stored-values.ts'
import { objectText } from '../../../runtime/data/values/json-text.ts'
import { describeUnknownTable, type ImportSchema, type Properties, suggestNames } from './import-schema.ts'
import { type KeyedRow, parseKey, findRelation, TARGETS } from './relations.ts'
import {
  type CheckedProfile,
  type CheckedRow,
  type RowChanges,
  type RowError,
  type RowStyle,
  OLD_COLUMNS,
  type OwnedValue,
  type RowLocation,
  PROFILE_COLUMNS,
  type RawProfile,
  type RawRow,
  RECORD_COLUMNS,
  type Reference,
  type StagedProfile,
  USER_COLUMNS,
} from './rows.ts'

export interface CheckOptions {
  /** Whether every row must have a key by which a later import recognizes it. */
  readonly isKnown: boolean
}

/** Checks a row. Returns the staged row or its errors. */
export function checkRow(raw: RawRow, schema: ImportSchema, options: CheckOptions): CheckedRow {
  const row = new RowCheck(raw.location, schema, raw.style ?? null)
  const { table } = raw.location
  if (!isObject(raw.value)) row.fault(null, 'a row must be an object')
  else if (table === null) return row.user(raw.value)
  else {
    const properties = schema.tables.get(table)
    if (properties !== undefined) return row.record(raw.value, table, properties, options)
    row.fault(null, describeUnknownTable(table, schema))
  }
  return { kind: 'faults', faults: row.faults }
}

/** Checks a profile that is separate from its user. Returns the staged profile or its errors. */
export function checkProfile(raw: RawProfile, schema: ImportSchema): CheckedProfile {
  const row = new RowCheck(raw.location, schema, raw.style)
  if (isObject(raw.value)) return row.loneProfile(raw.value)
  row.fault(null, 'a row must be an object')
  return { kind: 'faults', faults: row.faults }
}

class RowCheck {
  readonly faults: RowError[] = []
  readonly #location: RowLocation
  readonly #schema: ImportSchema
  /** Null for rows in Ingot's own format. */
  readonly #style: RowStyle | null
  readonly #references: Reference[] = []

  constructor(location: RowLocation, schema: ImportSchema, style: RowStyle | null) {
    this.#location = location
    this.#schema = schema
    this.#style = style
  }

  fault(property: string | null, reason: string): null {
    this.faults.push({ location: this.#location, property, reason })
    return null
  }

  record(rawRow: Fields, table: string, declaredProperties: Properties, options: CheckOptions): CheckedRow {
    const value = moveToColumns(rawRow, declaredProperties)
    this.#checkNames(value, [...RECORD_COLUMNS, ...OLD_COLUMNS, ...this.#extraColumns], declaredProperties)
    const customizable = this.#customizable(value)
    const staged = {
      id: this.#id(value, 'id'),
      external_id: this.#text(value, 'external_id'),
      user_id: this.#ownerId(value['user_id']),
      name: this.#text(value, 'name'),
      customizable_id: customizable,
      customizable_type: this.#text(value, 'customizable_type'),
      properties: this.#properties(value, declaredProperties, `table '${table}'`),
      undeclared: this.#undeclared(value, declaredProperties),
      ...this.#times(value),
    }
    if (options.isKnown && staged.id === null && (staged.external_id ?? '') === '')
      this.fault(null, 'a row of a seed needs an external_id, otherwise it would be added again each time')
    if (this.faults.length > 0) return { kind: 'faults', faults: this.faults }
    return { kind: 'record', location: this.#location, table, ...staged, ...this.#sharedFields(value) }
  }

  user(value: Fields): CheckedRow {
    this.#checkNames(value, [...USER_COLUMNS, ...this.#extraColumns, 'profiles'], this.#schema.user)
    const staged = {
      id: this.#id(value, 'id'),
      external_id: this.#text(value, 'external_id'),
      email: this.#email(value),
      slug: this.#text(value, 'slug'),
      slug_base: slugOf(value),
      // Computed for new users only, because an exported row contains the stored name.
      name: this.#text(value, 'name') ?? (value['id'] === undefined && this.#style === null ? joinedName(value) : null),
      first_name: this.#text(value, 'first_name'),
      middle_name: this.#text(value, 'middle_name'),
      last_name: this.#text(value, 'last_name'),
      language: this.#text(value, 'language'),
      encrypted_password: this.#password(value),
      properties: this.#properties(value, this.#schema.user, 'a user'),
      undeclared: this.#undeclared(value, this.#schema.user),
      profiles: this.#profiles(value['profiles']),
      ...this.#times(value),
    }
    if (this.faults.length > 0) return { kind: 'faults', faults: this.faults }
    return { kind: 'user', location: this.#location, ...staged, ...this.#sharedFields(value) }
  }

  loneProfile(value: Fields): CheckedProfile {
    const key = this.#usesKeys ? this.#key(value['user_id']) : null
    const user_key = key !== null && 'key' in key ? key.key : null
    const user_id = key !== null && 'id' in key ? key.id : user_key === null ? this.#id(value, 'user_id') : null
    if (user_id === null && user_key === null) this.fault('user_id', 'a profile needs the id of its user')
    const { user_id: _, owned = [], ...own } = value
    const [profile] = this.#profiles([own])
    if (this.faults.length > 0 || profile === undefined) return { kind: 'faults', faults: this.faults }
    return {
      kind: 'profile',
      location: this.#location,
      user_id,
      user_key,
      ...profile,
      owned: owned as readonly OwnedValue[],
    }
  }

  get #extraColumns(): readonly string[] {
    return this.#style === null ? EXTRA_COLUMNS : [...EXTRA_COLUMNS, 'owned', 'alias']
  }

  /** Returns the fields that records and users share. */
  #sharedFields(value: Fields): {
    readonly references: readonly Reference[]
    readonly owned: readonly OwnedValue[]
    readonly changes: RowChanges | null
    readonly alias: string | null
  } {
    const { properties } = this.#style ?? {}
    const presentColumns = Object.keys(value).filter((name) => value[name] !== undefined)
    return {
      references: this.#references,
      owned: this.#style === null ? [] : ((value['owned'] ?? []) as readonly OwnedValue[]),
      changes: properties === undefined ? null : { given: presentColumns, each: properties === 'each' },
      alias: this.#style === null ? null : this.#text(value, 'alias'),
    }
  }

  #checkNames(value: Fields, columns: readonly string[], declaredProperties: Properties): void {
    for (const name of Object.keys(value)) {
      if (columns.includes(name)) continue
      if (name === 'password') this.fault(name, 'passwords can only be imported as hashes, in encrypted_password')
      else if (declaredProperties.has(name)) this.fault(name, 'it is a property: move it into `properties`')
      else this.fault(name, `there is no column '${name}'${suggestNames(name, 'the columns are', columns)}`)
    }
  }

  /** Converts the text of a column by the rules of mutations. */
  #column(value: Fields, column: string, kind: ColumnKind): string | null {
    const columnValue = value[column]
    if (columnValue === undefined || columnValue === null) return null
    if (typeof columnValue !== 'string' && typeof columnValue !== 'number')
      return this.fault(column, 'it is not a text')
    try {
      return columnText(column, kind, columnValue, null)
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      return this.fault(column, `${quoteValue(columnValue)}: ${withoutFullStop(error)}`)
    }
  }

  #text(value: Fields, column: string): string | null {
    return this.#column(value, column, 'text')
  }

  #email(value: Fields): string | null {
    const email = value['email']
    // A row that changes a stored user may omit the address.
    if (email === undefined && this.#style !== null) return null
    if (email === undefined || email === null) return this.fault('email', 'a user needs an email address')
    return this.#column(value, 'email', 'email')
  }

  #password(value: Fields): string | null {
    const hash = this.#text(value, 'encrypted_password')
    if (hash === null || /^\$(?:argon2id|2[abxy])\$/.test(hash)) return hash
    // The value is not included in the message, because it may be a password.
    return this.fault('encrypted_password', 'it is not a hash of argon2id or bcrypt')
  }

  #id(value: Fields, column: string): string | null {
    return this.#column(value, column, 'id')
  }

  #ownerId(userId: unknown): string | null {
    if (this.#usesKeys) return this.#keyedColumn('user_id', userId, null)
    if (!isObject(userId)) return this.#id({ user_id: userId }, 'user_id')
    const key = this.#parseUserReference(userId)
    if (key === null) return this.fault('user_id', 'use an id, or { "$user": "external id or email address" }')
    this.#references.push({ table: null, key, into: { column: 'user_id' }, number: true, isRequired: true })
    return null
  }

  /** Whether ids in the file become external ids. */
  get #usesKeys(): boolean {
    return this.#style !== null && this.#style.keysOf !== null
  }

  /** Converts a column that refers to a row by its external id. */
  #keyedColumn(column: 'user_id' | 'customizable_id', rowId: unknown, table: Reference['table']): string | null {
    if (rowId === undefined || rowId === null || rowId === '') return null
    const key = this.#key(rowId)
    if (key === null) return this.fault(column, 'the id of a row must be a text or a whole number')
    if ('id' in key) return this.#id({ [column]: key.id }, column)
    this.#references.push({ table, key: key.key, into: { column }, number: true, isRequired: false })
    return null
  }

  #customizable(value: Fields): string | null {
    const table = TARGETS.get(`${value['customizable_type']}`)
    if (!this.#usesKeys || table === undefined) return this.#id(value, 'customizable_id')
    return this.#keyedColumn('customizable_id', value['customizable_id'], table)
  }

  #key(rowId: unknown): KeyedRow | null {
    return parseKey(rowId, this.#style?.keysOf ?? '')
  }

  #times(value: Fields): { created_at: string | null; updated_at: string | null; deleted_at: string | null } {
    const time = (column: string): string | null => this.#column(value, column, 'time')
    return { created_at: time('created_at'), updated_at: time('updated_at'), deleted_at: time('deleted_at') }
  }

  /** Returns the row's properties as JSON text. Rows without an id get default values, as in mutations. */
  #properties(row: Fields, declaredProperties: Properties, owner: string): string {
    const properties = row['properties'] ?? {}
    // For other formats, it is decided later whether a row is new.
    const isNew = (row['id'] === undefined || row['id'] === null) && this.#style === null
    const texts = new Map(isNew ? this.#schema.defaults.get(declaredProperties) : [])
    if (!isObject(properties)) {
      this.fault('properties', 'it is not an object')
      return '{}'
    }
    for (const [name, value] of [...this.#newlyDeclared(row, declaredProperties), ...Object.entries(properties)]) {
      const property = declaredProperties.get(name)
      if (property === undefined) {
        if (this.#style?.undeclared === 'kept') continue
        this.fault(
          name,
          `${owner} has no such property${suggestNames(name, 'the properties are', declaredProperties.keys())}`,
        )
        continue
      }
      const text = this.#convertProperty(property, value)
      if (text !== null) texts.set(name, text)
    }
    return objectText(texts)
  }

  /** Returns the values in `undeclared` whose properties the site declares now. */
  #newlyDeclared({ undeclared }: Fields, declaredProperties: Properties): readonly (readonly [string, unknown])[] {
    return isObject(undeclared) ? Object.entries(undeclared).filter(([name]) => declaredProperties.has(name)) : []
  }

  /** Returns the JSON text of undeclared properties, or null when the row does not mention any. */
  #undeclared({ undeclared: own, properties }: Fields, declaredProperties: Properties): string | null {
    const keepsUndeclared = this.#style?.undeclared === 'kept' && isObject(properties)
    const undeclared = keepsUndeclared ? { ...properties, ...(isObject(own) ? own : {}) } : own
    if (undeclared === undefined || undeclared === null) return null
    if (!isObject(undeclared)) return this.fault('undeclared', 'it is not an object')
    const texts = new Map<string, string>()
    for (const [name, value] of Object.entries(undeclared)) {
      if (declaredProperties.has(name)) continue
      try {
        texts.set(name, undeclaredText(name, value, null))
      } catch (error) {
        if (!(error instanceof QueryError)) throw error
        return this.fault('undeclared', withoutFullStop(error))
      }
    }
    return objectText(texts)
  }

  #convertProperty(property: PropertyDef, value: unknown): string | null {
    if (value === null) return 'null'
    const { name, type } = property
    const number = type === 'integer'
    if (this.#style !== null) return this.#convertRelation(property, value)
    if (isObject(value) && (type === 'string' || number)) {
      const reference = this.#parseReference(value)
      if (reference !== null) {
        this.#references.push({ ...reference, into: { property: name, item: null }, number, isRequired: true })
        return 'null'
      }
    }
    return this.#castProperty(
      property,
      type === 'array' && Array.isArray(value) ? this.#replaceReferences(name, value) : value,
    )
  }

  /** Converts a value of another format. A value of a property with `belongs_to` refers to rows by their external ids. */
  #convertRelation(property: PropertyDef, value: unknown): string | null {
    const { name, type } = property
    const table = this.#usesKeys ? findRelation(property, this.#schema.tables) : undefined
    if (table === undefined) return this.#castProperty(property, value)
    const toReference = (rowId: unknown, item: number | null): unknown => {
      const key = this.#key(rowId)
      if (key === null) return rowId
      if ('id' in key) return key.id
      const number = type === 'integer' && item === null
      this.#references.push({ table, key: key.key, into: { property: name, item }, number, isRequired: false })
      // An integer property cannot store a textual key if the reference stays unresolved.
      return number && !/^\d+$/.test(key.key) ? null : rowId
    }
    if (type !== 'array' || !Array.isArray(value)) return this.#castProperty(property, toReference(value, null))
    const items = value.filter((item) => item !== null)
    return this.#castProperty(property, items.map(toReference))
  }

  #castProperty(property: PropertyDef, value: unknown): string | null {
    const { name, type } = property
    if (typeof value === 'number' && isRounded(type, value))
      return this.fault(name, 'a number with this many digits would be rounded: write it as text')
    try {
      return storedText(property, value)
    } catch (error) {
      if (error instanceof QueryError) return this.fault(name, withoutFullStop(error))
      if (error instanceof RangeError) return this.fault(name, 'it is nested too deeply')
      throw error
    }
  }

  /** Returns the items of an array with an empty text for each reference. */
  #replaceReferences(name: string, items: readonly unknown[]): readonly unknown[] {
    const presentItems = items.filter((item) => item !== null)
    return presentItems.map((item, index) => {
      const reference = isObject(item) ? this.#parseReference(item) : null
      if (reference === null) return item
      this.#references.push({ ...reference, into: { property: name, item: index }, number: false, isRequired: true })
      return ''
    })
  }

  /** Parses `{ "$ref": ["table", "external id"] }` or `{ "$user": "…" }`. Returns null for other objects. */
  #parseReference(value: Fields): { readonly table: string | null; readonly key: string } | null {
    const user = this.#parseUserReference(value)
    if (user !== null) return { table: null, key: user }
    const referenceParts = value['$ref']
    if (!Array.isArray(referenceParts) || referenceParts.length !== 2 || Object.keys(value).length !== 1) return null
    const [table, key]: readonly unknown[] = referenceParts
    if (typeof table !== 'string' || typeof key !== 'string') return null
    if (!this.#schema.tables.has(table)) this.fault('$ref', describeUnknownTable(table, this.#schema))
    return { table, key: toStorableKey(key) }
  }

  #parseUserReference(value: Fields): string | null {
    const key = value['$user']
    return typeof key === 'string' && Object.keys(value).length === 1 ? toStorableKey(key) : null
  }

  #profiles(rawProfiles: unknown): readonly StagedProfile[] {
    if (rawProfiles === undefined || rawProfiles === null) return []
    if (!Array.isArray(rawProfiles)) {
      this.fault('profiles', 'it is not an array')
      return []
    }
    const profiles: StagedProfile[] = []
    for (const value of rawProfiles) {
      const type = isObject(value) ? value['profile_type'] : undefined
      const declared = typeof type === 'string' ? this.#schema.profiles.get(type) : undefined
      if (!isObject(value) || typeof type !== 'string' || declared === undefined) {
        this.fault(
          'profiles',
          `a profile needs a profile_type${suggestNames(`${type}`, 'the types are', this.#schema.profiles.keys())}`,
        )
        continue
      }
      if (profiles.some((each) => each.profile_type === type))
        this.fault('profiles', `there are two profiles of type '${type}'`)
      this.#checkNames(value, [...PROFILE_COLUMNS, ...this.#extraColumns], declared)
      const references = this.#references.length
      profiles.push({
        id: this.#id(value, 'id'),
        profile_type: type,
        properties: this.#properties(value, declared, `profile '${type}'`),
        undeclared: this.#undeclared(value, declared),
        ...this.#times(value),
      })
      if (this.#references.splice(references).some(({ isRequired }) => isRequired))
        this.fault('profiles', 'a profile cannot contain references: use ids')
    }
    return profiles
  }
}

type Fields = Readonly<Record<string, unknown>>

const EXTRA_COLUMNS = ['properties', 'undeclared'] as const

/**
 * Moves properties that are stored in columns to the columns of the record. A column of the row takes
 * precedence, even if it is empty, then declared properties, then undeclared ones. Missing and empty properties do not set a column.
 */
function moveToColumns(row: Fields, declaredProperties: Properties): Fields {
  const columnProperties = new Set(ownColumns(declaredProperties.values()))
  if (columnProperties.size === 0) return row
  const record: Record<string, unknown> = {}
  const remaining: Record<string, unknown> = {}
  for (const group of ['undeclared', 'properties']) {
    const values = row[group]
    if (!isObject(values)) continue
    const entries = Object.entries(values)
    for (const [name, value] of entries)
      if (columnProperties.has(name) && value !== null && value !== '') record[name] = value
    remaining[group] = Object.fromEntries(entries.filter(([name]) => !columnProperties.has(name)))
  }
  const columns = Object.entries(row).filter(([, value]) => value !== undefined && value !== null)
  return { ...row, ...record, ...Object.fromEntries(columns), ...remaining }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether the number lost digits when it was parsed to a double. */
function isRounded(type: PropertyDef['type'], value: number): boolean {
  if (type === 'integer') return !Number.isSafeInteger(value) && Number.isInteger(value)
  return type === 'decimal' && `${value}`.replace(/e.*$|\D/g, '').length > 15
}

/** Replaces NUL, because stored keys cannot contain it. */
function toStorableKey(key: string): string {
  return key.replaceAll('\0', '\ufffd')
}

/** Returns the message without its full stop, because reasons are parts of sentences. */
function withoutFullStop(error: QueryError): string {
  return error.message.replace(/\.$/, '')
}

function quoteValue(value: string | number): string {
  const text = `'${value}'`
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
