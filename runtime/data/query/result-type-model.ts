/** Types of results: as the planner knows them for each table, and as the schema alone determines them. */

/** A range in the text of the document, as two offsets. */
export interface SourceRange {
  readonly start: number
  readonly end: number
}

/**
 * `JSON`: any value. `Date`: text such as `2020-03-15T14:28:48.153Z`. `ID`: text. `Markup`: text that templates print
 * unescaped.
 */
export type ScalarName = 'ID' | 'String' | 'Markup' | 'Int' | 'Float' | 'Boolean' | 'Date' | 'JSON'

/** The type of a result as templates see it; nullable types are marked. */
export type ResultType =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'list'; readonly inner: ResultType }
  | {
      readonly kind: 'object'
      readonly fields: ReadonlyMap<string, ResultType>
      /** The location of the selection; null for the properties of a table. */
      readonly range: SourceRange | null
      /** The name of the table when the type is the `properties` of a known table, whose file declares the fields. */
      readonly table: string | null
    }
  | { readonly kind: 'nullable'; readonly inner: ResultType }

/** A result type that depends on the schema only, not on the site's tables. Decoders and TypeScript types are derived from it. */
export type SchemaResultType =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'list' | 'nullable'; readonly inner: SchemaResultType }
  | SchemaResultObject

export interface SchemaResultObject {
  readonly kind: 'object'
  readonly fields: readonly SchemaResultField[]
}

export interface SchemaResultField {
  readonly key: string
  /** The name in the schema. */
  readonly name: string
  readonly type: SchemaResultType
  /** Whether a directive may omit the field. */
  readonly isOptional: boolean
}
