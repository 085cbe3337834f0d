/** What the rooms of this document hand to each other. */

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type Schema = { readonly [keyword: string]: unknown }

/** What an operation does with a resource: a rule may count for one of them only. */
export type WriteKind = 'create' | 'update'

/** A schema with what a rule says that no keyword can. */
export interface DescribedSchema {
  readonly keywords: Schema
  readonly notes: readonly string[]
  /** Whether a field that is not sent breaks the rule. */
  readonly refusesNil: boolean
}

export interface DocumentFacts {
  readonly title: string
  /** Of the site or of this software: clients compare it. */
  readonly version: string
  /** Base of the site: `https://shop.example`. */
  readonly url: string
}
