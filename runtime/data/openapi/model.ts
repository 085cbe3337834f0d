/** Types of the OpenAPI document. */

/** A schema of JSON Schema 2020-12, as used by OpenAPI 3.1. */
export type Schema = { readonly [keyword: string]: unknown }

/** The kind of write operation; a rule may apply to one of them only. */
export type WriteKind = 'create' | 'update'

/** A schema, with notes about rules that no keyword expresses. */
export interface DescribedSchema {
  readonly keywords: Schema
  readonly notes: readonly string[]
  /** Whether a missing field violates the rule. */
  readonly refusesNil: boolean
}

export interface DocumentFacts {
  readonly title: string
  /** The version of the site or of this software; clients compare it. */
  readonly version: string
  /** The base URL of the site, such as `https://shop.example`. */
  readonly url: string
}
