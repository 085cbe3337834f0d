/** What the reference says where signatures and types do not: words, and examples that the tests run as sites. */

/** A template that is the home page of a site, and what a visitor gets to see. */
export interface Example {
  /** What it shows, where the template does not say it. */
  readonly says?: string
  readonly template: string
  /** Other files of the site: path → text. */
  readonly files?: Readonly<Record<string, string>>
  /** What the visitor asks for; `/` where it does not matter. */
  readonly url?: string
  /** The body of the answer, but for blank lines and white space at the ends of lines; `…` stands for any text. */
  readonly prints: string
  /** 200 where it is not said. */
  readonly status?: number
  /** Headers of the answer, by their lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface TagDocs {
  /** What it does, in one or two sentences. */
  readonly says: string
  /** Further ways to write it, beside `usage`. */
  readonly forms?: readonly string[]
  /** What its named arguments mean. */
  readonly arguments?: Readonly<Record<string, string>>
  readonly examples: readonly Example[]
}
