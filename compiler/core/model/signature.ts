/** The signatures of filters (from TypeScript) and of templates (from their bodies and callers). */
import type { Type } from './type.ts'
import type { ValueType } from './value-type.ts'

/** What a parameter of a filter accepts. For `text` parameters, base Liquid passes the inspected form of a value. */
export type ParameterKind = 'text' | 'number' | 'list' | 'hash' | 'boolean' | 'value'

export interface FilterParameter {
  readonly name: string
  readonly kind: ParameterKind
  readonly optional: boolean
}

/** A type in an overload. */
export type OverloadType =
  | ValueType
  /** A type parameter, which takes its type from an argument. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'optional'; readonly inner: OverloadType }
  | { readonly kind: 'list'; readonly element?: OverloadType }
  /** The type without nil. */
  | { readonly kind: 'present'; readonly of: OverloadType }
  | { readonly kind: 'either'; readonly of: readonly OverloadType[] }

/** A narrower signature of a filter, without the render and without named arguments. */
export interface FilterOverload {
  readonly parameters: readonly OverloadType[]
  /** The number of parameters that are not optional. */
  readonly required: number
  readonly result: OverloadType
}

export interface FilterSignature {
  /** The name in Liquid. */
  readonly name: string
  /** The name in the registry: `liquid_join` for the `join` of base Liquid. */
  readonly registry: string
  /** The exported function: `default_` for `default`. */
  readonly exportName: string
  /** The module below `runtime/page/filters/`, with its extension: `text/upcase.ts`. */
  readonly module: string
  /** Set if the library host provides the filter. Its name is then not part of the language. */
  readonly own?: true
  /** The name of which this is an alias, or null. */
  readonly aliasOf: string | null
  readonly dialect: 'both' | 'platform' | 'liquid'
  /** The parameters without the render and the group of named arguments. The first one is the piped value. */
  readonly parameters: readonly FilterParameter[]
  /** A rest parameter that accepts any number of further values. */
  readonly rest: FilterParameter | null
  /** The named arguments; null if the filter accepts none, `open` if it accepts any. */
  readonly named: { readonly names: readonly string[]; readonly open: boolean; readonly required: boolean } | null
  readonly result: Type
  /** Narrower signatures, from the narrowest to the widest. The emitter uses them for the types of results. */
  readonly overloads?: readonly FilterOverload[]
  /** Set if a text result may be an object that contains bytes in another encoding. */
  readonly encoded?: true
  readonly needsRender: boolean
  readonly suspends: boolean
  readonly fallible: boolean
  /** Whether the filter is not available in a browser. */
  readonly serverOnly?: boolean
  /** The replacement of a deprecated filter, or null. */
  readonly deprecated: string | null
}

/** A parameter of a template: from its `doc` block, or inferred from variables that it reads before it sets them. */
export interface UnitParameter {
  readonly name: string
  readonly type: Type
  readonly required: boolean
  /** Whether the parameter is declared with `@param` in a `doc` block. */
  readonly declared: boolean
}
