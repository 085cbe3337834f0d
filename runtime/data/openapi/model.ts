/** Types of the OpenAPI document. */

/** A schema of JSON Schema 2020-12, as used by OpenAPI 3.1. */
export type Schema = { readonly [keyword: string]: unknown }

/** The kind of a write operation. A rule may apply to only one kind. */
export type WriteKind = 'create' | 'update'

/** A schema, with sentences about the rules that no JSON Schema keyword expresses. */
export interface DescribedSchema {
  readonly keywords: Schema
  readonly notes: readonly string[]
  /** Whether a missing field violates the rule. */
  readonly refusesNil: boolean
}

export interface DocumentFacts {
  readonly title: string
  /** The version of the site or of Ingot. Clients compare it to detect changes. */
  readonly version: string
  /** The base URL of the site, such as `https://shop.example`. */
  readonly url: string
}
