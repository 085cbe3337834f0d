/** The types that the checker infers. Data only; how they relate is `types/relate.ts`. */
import type { Span } from '../source/span.ts'

/** Where a shape was written; `of` says that it is what a query selects, what a table declares, or what a form takes. */
export interface ShapeOrigin extends Span {
  readonly of?: 'query' | 'table' | 'form'
}

/** A known shape without a key: what keys it has, and where it was written. */
export interface MissingKey {
  readonly known: readonly string[]
  readonly origin: ShapeOrigin | null
}

export type Type =
  /** `likely`: what all values are of which something is known. */
  | { readonly kind: 'unknown'; readonly likely?: Type }
  /** No value can get here. */
  | { readonly kind: 'never' }
  | { readonly kind: 'nil' | 'boolean' | 'integer' | 'float' | 'number' | 'range' | 'date' | 'time' }
  /** `safe`: marked as safe for HTML. `json`: the result of the filter `json`. `literal`: the text where it is known. */
  | { readonly kind: 'string'; readonly safe?: 'safe' | 'json'; readonly literal?: string }
  | { readonly kind: 'list'; readonly of: Type }
  /** Known keys. `open`: others may exist (their type is unknown). `origin`: where the shape was written. */
  | {
      readonly kind: 'record'
      readonly fields: ReadonlyMap<string, Type>
      readonly open: boolean
      readonly origin: ShapeOrigin | null
      /** Keys that some of several queries' records do not have, with one of those records. */
      readonly lacking?: ReadonlyMap<string, MissingKey>
      /** Keys that somebody else may have put into it. */
      readonly possible?: ReadonlySet<string>
    }
  /** Any key, one type of values. */
  | { readonly kind: 'hash'; readonly of: Type }
  | { readonly kind: 'union'; readonly of: readonly Type[] }

export const UNKNOWN: Type = { kind: 'unknown' }
export const NEVER: Type = { kind: 'never' }
export const NIL: Type = { kind: 'nil' }
export const BOOLEAN: Type = { kind: 'boolean' }
export const INTEGER: Type = { kind: 'integer' }
export const FLOAT: Type = { kind: 'float' }
export const NUMBER: Type = { kind: 'number' }
export const STRING: Type = { kind: 'string' }
export const SAFE: Type = { kind: 'string', safe: 'safe' }
export const JSON_TEXT: Type = { kind: 'string', safe: 'json' }
export const RANGE: Type = { kind: 'range' }
