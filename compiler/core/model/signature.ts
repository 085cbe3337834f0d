/** What is known of a filter (from its TypeScript signature) and of a unit's face (from its body and its callers). */
import type { Span } from '../source/span.ts'
import type { Type } from './type.ts'

/** What a parameter of a filter takes. `text` parameters are the ones base Liquid hands in its inspected form. */
export type ParameterKind = 'text' | 'number' | 'list' | 'hash' | 'boolean' | 'value'

export interface FilterParameter {
  readonly name: string
  readonly kind: ParameterKind
  readonly optional: boolean
}

export interface FilterSignature {
  /** As written in Liquid. */
  readonly name: string
  /** Its name in the registry: `liquid_join` for the twin of `join` in base Liquid. */
  readonly registry: string
  /** The exported function: `default_` for `default`. */
  readonly exportName: string
  /** Module below `runtime/page/filters/`, with its extension: `text/upcase.ts`. */
  readonly module: string
  /** The library's host gave it: emitted code takes it from the host. Its name here is no name of the language. */
  readonly own?: true
  /** The name that this one is an alias of, or null. */
  readonly aliasOf: string | null
  readonly dialect: 'both' | 'platform' | 'liquid'
  /** Without the render and the group of named arguments; the first is the piped value. */
  readonly parameters: readonly FilterParameter[]
  /** A rest parameter takes any number of further values. */
  readonly rest: FilterParameter | null
  /** Names of the trailing hash of named arguments; null when the filter takes none, `open` when it takes any. */
  readonly named: { readonly names: readonly string[]; readonly open: boolean; readonly required: boolean } | null
  readonly result: Type
  /** A text that it gives may be an object, which has its bytes in another encoding. */
  readonly encoded?: true
  readonly needsRender: boolean
  readonly suspends: boolean
  readonly fallible: boolean
  /** It is not there where the engine runs: in a browser. */
  readonly serverOnly?: boolean
  /** Successor of a deprecated filter, or null. */
  readonly deprecated: string | null
  /** First sentence of the docstring. */
  readonly summary: string
}

/** A parameter of a unit: from its `doc` block, or inferred from names that it reads before it sets them. */
export interface UnitParameter {
  readonly name: string
  readonly type: Type
  readonly required: boolean
  /** Declared by `@param` in a `doc` block. */
  readonly declared: boolean
  readonly span: Span
}
