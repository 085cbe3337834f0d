/** The types that the checker infers. Only data; `types/relate.ts` has their relations. */
import type { Span } from '../source/span.ts'

/**
 * Where a shape was written. Its offsets count from a mark (`markedSpan`), because types are kept with other files. `source`: whether a
 * query selects it, a table declares it, or a form has it.
 */
export interface ShapeOrigin extends Span {
  readonly source?: 'query' | 'table' | 'form'
}

/** The record of a key that a known shape does not have: the keys of the shape, and where it was written. */
export interface MissingKey {
  readonly knownNames: readonly string[]
  readonly origin: ShapeOrigin | null
}

export type Type =
  /** `likely`: the type of all known values. */
  | { readonly kind: 'unknown'; readonly likely?: Type }
  /** The type without values. */
  | { readonly kind: 'never' }
  | { readonly kind: 'nil' | 'boolean' | 'integer' | 'float' | 'number' | 'range' | 'date' | 'time' }
  /** `safe`: marked as safe for HTML. `json`: the result of the filter `json`. `literal`: the text, if known. */
  | { readonly kind: 'string'; readonly safe?: 'safe' | 'json'; readonly literal?: string }
  | { readonly kind: 'list'; readonly element: Type }
  /** Known keys. `open`: other keys may exist, with unknown types. `origin`: where the shape was written. */
  | {
      readonly kind: 'record'
      readonly fields: ReadonlyMap<string, Type>
      readonly open: boolean
      readonly origin: ShapeOrigin | null
      /** Keys that the records of some queries do not have, each with the shape of such a record. */
      readonly lacking?: ReadonlyMap<string, MissingKey>
      /** Keys that other code may have added. */
      readonly possible?: ReadonlySet<string>
    }
  /** Any key, with one type of values. */
  | { readonly kind: 'hash'; readonly element: Type }
  | { readonly kind: 'union'; readonly members: readonly Type[] }

export const UNKNOWN: Type = { kind: 'unknown' }
export const NEVER: Type = { kind: 'never' }
export const NIL: Type = { kind: 'nil' }
export const BOOLEAN: Type = { kind: 'boolean' }
export const INTEGER: Type = { kind: 'integer' }
export const FLOAT: Type = { kind: 'float' }
export const NUMBER: Type = { kind: 'number' }
export const STRING: Type = { kind: 'string' }
export const SAFE: Type = { kind: 'string', safe: 'safe' }
export const RANGE: Type = { kind: 'range' }

/** Returns whether nothing is known about a value. */
export function isUnknown(type: Type): boolean {
  return type.kind === 'unknown' && type.likely === undefined
}
