/** How rows of the service's forms name each other: by what their `id` was, which is an external id here. */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { ANY_TABLE, type Reference } from './rows.ts'

/** A row by its external id, or one of this instance that has none, by its id. */
export type KeyedRow = { readonly key: string } | { readonly id: string }

/** What an old record may belong to, by `customizable_type`. */
export const TARGETS: ReadonlyMap<string, Reference['table']> = new Map([
  ['User', null],
  ...['Record', 'Model', 'Customization', 'Transactable'].map((type): [string, typeof ANY_TABLE] => [type, ANY_TABLE]),
])

/**
 * The row that an id of a file names; null for what is no id.
 * @param source the key of this database, by which its rows without an external id are known again
 */
export function keyOf(given: unknown, source: string): KeyedRow | null {
  if (typeof given !== 'string' && !Number.isSafeInteger(given)) return null
  const text = `${given as string | number}`.replaceAll('\0', '\ufffd')
  if (text.trim() === '') return null
  const own = text.startsWith(ownKey(source)) ? text.slice(ownKey(source).length) : ''
  return /^[1-9]\d{0,15}$/.test(own) ? { id: own } : { key: text }
}

/** What the id of a row without an external id begins with in a file. */
export function ownKey(source: string): string {
  return `${source}-`
}

/** The table whose rows a property names, null for users; undefined for a property that names none. */
export function relationOf(
  { belongsTo, type }: PropertyDef,
  tables: ReadonlyMap<string, unknown>,
): Reference['table'] | undefined {
  if (belongsTo === null || (type !== 'string' && type !== 'integer' && type !== 'array')) return undefined
  if (tables.has(belongsTo)) return belongsTo
  return /^users?$/i.test(belongsTo) ? null : undefined
}
