/** Documentation for the reference: texts, and examples that the tests run as sites. */

/** A template that is the home page of a site, and its output. */
export interface Example {
  /** A description of the example, if needed. */
  readonly description?: string
  readonly template: string
  /** Other files of the site, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** The requested URL; `/` by default. */
  readonly url?: string
  /** The expected body of the response, without blank lines and trailing white space. `…` matches any text. */
  readonly prints: string
  /** The expected status; 200 by default. */
  readonly status?: number
  /** The expected headers of the response, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface TagDocs {
  /** The description of the tag, in one or more sentences. */
  readonly description: string
  /** Other forms of the markup, in addition to `usage`. */
  readonly forms?: readonly string[]
  /** The description of each named argument. */
  readonly arguments?: Readonly<Record<string, string>>
  readonly examples: readonly Example[]
}
