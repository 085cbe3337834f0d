/** The types of results: as the planner knows them of each table, and as the schema alone says them. */

/** Offsets in the text of the document. */
export interface SourceRange {
  readonly start: number
  readonly end: number
}

/** `JSON`: anything. `Date`: text as `2020-03-15T14:28:48.153Z`. `ID`: text. `Markup`: text that templates print as it is. */
export type ScalarName = 'ID' | 'String' | 'Markup' | 'Int' | 'Float' | 'Boolean' | 'Date' | 'JSON'

/** What comes back, as templates see it. Everything nullable says so. */
export type ResultType =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'list'; readonly of: ResultType }
  | {
      readonly kind: 'object'
      readonly fields: ReadonlyMap<string, ResultType>
      /** Where the fields are selected, or null for the properties of a table. */
      readonly at: SourceRange | null
      /** `properties` of a known table: its name, whose file declares the fields. */
      readonly table: string | null
    }
  | { readonly kind: 'nullable'; readonly of: ResultType }

/** The same whatever tables there are: what decoders and TypeScript types are made of. */
export type AnswerType =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'list' | 'nullable'; readonly of: AnswerType }
  | AnswerObject

export interface AnswerObject {
  readonly kind: 'object'
  readonly fields: readonly AnswerField[]
}

export interface AnswerField {
  readonly key: string
  /** What the schema calls it. */
  readonly name: string
  readonly type: AnswerType
  /** A directive may leave it out. */
  readonly mayMiss: boolean
}
