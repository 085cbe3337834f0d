/** Types of the reference: entries in sections, one page for each. Data only. */

export type SectionName =
  | 'tutorial'
  | 'guides'
  | 'cookbook'
  | 'filters'
  | 'tags'
  | 'objects'
  | 'settings'
  | 'validations'
  | 'diagnostics'
  | 'production'
  | 'tools'
  | 'liquidjs'

export interface Row {
  readonly name: string
  /** The type of the argument or value: `text`, `array of texts or nil`. */
  readonly type: string
  /** Text with `code` in backticks. */
  readonly description: string
  /** Anchor within the page. */
  readonly id?: string
  /** Link to a page with more details. */
  readonly href?: string
}

/** A block of a page. Texts of `words` and `list` have `code` in backticks and links from the root: `[Jobs](guides/jobs.html)`. */
export type Block =
  | { readonly kind: 'words'; readonly text: string }
  /** A heading. With an `id` it can be linked and is found by the search, also by the additional `words`. */
  | { readonly kind: 'title'; readonly text: string; readonly id?: string; readonly words?: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'links'; readonly links: readonly Link[] }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  | {
      readonly kind: 'rows'
      readonly title: string
      /** Column titles; `Name`, `Type` and `Meaning` by default. */
      readonly columnTitles?: readonly [name: string, type: string, description: string]
      readonly rows: readonly Row[]
    }
  /** A table of measured values. The first column contains the row labels. */
  | { readonly kind: 'table'; readonly columnTitles: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | {
      readonly kind: 'example'
      readonly title: string
      readonly description: string | null
      /** Files of the site. The main template has no path; all others have one. */
      readonly files: readonly { readonly path: string | null; readonly text: string }[]
      /** The address whose page has the printed text. */
      readonly url?: string
      /** The printed text. Null if there is none. */
      readonly prints: string | null
      /** The output of another engine. */
      readonly otherwise?: { readonly by: string; readonly prints: string }
      readonly notes: readonly string[]
    }

export interface Badge {
  readonly text: string
  readonly tone: 'plain' | 'warn' | 'error'
}

/** A link to another entry. */
export interface Link {
  /** Text with `code` in backticks. */
  readonly htmlBefore: string
  readonly name: string
  readonly href: string
}

export interface Entry {
  readonly section: SectionName
  /** The name in source code. */
  readonly name: string
  /** Path of the page of the entry: `filters/append.html`. */
  readonly path: string
  /** One line for the index; `code` in backticks. */
  readonly summary: string
  readonly badges: readonly Badge[]
  readonly links: readonly Link[]
  readonly blocks: readonly Block[]
  /** Words that the search finds and the page does not show. */
  readonly words?: string
  /** Additional search terms, each with an anchor in the page. */
  readonly also: readonly {
    readonly name: string
    readonly summary: string
    readonly id: string
    readonly words?: string
  }[]
}
