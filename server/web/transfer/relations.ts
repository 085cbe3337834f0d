/**
 * References between rows in the service's formats. Rows are referred to by the `id` of the exporting database, which
 * is an external id in this database.
 */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { ANY_TABLE, type Reference } from './rows.ts'

/** A row identified by its external id, or a row of this database without an external id, identified by its id. */
export type KeyedRow = { readonly key: string } | { readonly id: string }

/** The targets of old records, by `customizable_type`. */
export const TARGETS: ReadonlyMap<string, Reference['table']> = new Map([
  ['User', null],
  ...['Record', 'Model', 'Customization', 'Transactable'].map((type): [string, typeof ANY_TABLE] => [type, ANY_TABLE]),
])

/**
 * Parses the id of a row in a file. Returns null for values that are not ids.
 * @param source the key of this database, which marks ids of its rows without an external id
 */
export function parseKey(rawId: unknown, source: string): KeyedRow | null {
  if (typeof rawId !== 'string' && !Number.isSafeInteger(rawId)) return null
  const text = String(rawId).replaceAll('\0', '\ufffd')
  if (text.trim() === '') return null
  const ownId = text.startsWith(ownKeyPrefix(source)) ? text.slice(ownKeyPrefix(source).length) : ''
  return /^[1-9]\d{0,15}$/.test(ownId) ? { id: ownId } : { key: text }
}

/** Returns the prefix of ids of rows without an external id in files. */
export function ownKeyPrefix(source: string): string {
  return `${source}-`
}

/**
 * Returns the table that a property refers to, or null for users. Returns undefined for a property that does not refer
 * to rows.
 */
export function findRelation(
  { belongsTo, type }: PropertyDef,
  tables: ReadonlyMap<string, unknown>,
): Reference['table'] | undefined {
  if (belongsTo === null || (type !== 'string' && type !== 'integer' && type !== 'array')) return undefined
  if (tables.has(belongsTo)) return belongsTo
  return /^users?$/i.test(belongsTo) ? null : undefined
}
