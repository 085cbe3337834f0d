/** What the reference is made of: entries, each with a page of its own, in sections. Data only. */

export type SectionName =
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
  /** What it takes or is: `text`, `array of texts or nil`. */
  readonly type: string
  /** Words in which `code` stands in backticks. */
  readonly says: string
  /** Address within the page, for links that lead here. */
  readonly id?: string
  /** Where an entry of its own tells more. */
  readonly href?: string
}

/** A piece of a page. */
export type Block =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'links'; readonly links: readonly Link[] }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  | {
      readonly kind: 'rows'
      readonly title: string
      /** Over the columns; `Name`, `Type` and `Meaning` where it is not said. */
      readonly heads?: readonly [name: string, type: string, says: string]
      readonly rows: readonly Row[]
    }
  /** Figures as they were printed: the first column tells what they are of. */
  | { readonly kind: 'table'; readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | {
      readonly kind: 'example'
      readonly title: string
      readonly says: string | null
      /** Files of the site with their paths; the template that is shown has none. */
      readonly files: readonly { readonly path: string | null; readonly text: string }[]
      /** What comes of it: printed text, or notes such as a status. */
      readonly prints: string | null
      /** What comes of it in another engine. */
      readonly otherwise?: { readonly by: string; readonly prints: string }
      readonly notes: readonly string[]
    }

export interface Badge {
  readonly text: string
  readonly tone: 'plain' | 'warn' | 'error'
}

/** Another entry, linked. */
export interface Link {
  /** Words in which `code` stands in backticks. */
  readonly before: string
  readonly name: string
  readonly href: string
}

export interface Entry {
  readonly section: SectionName
  /** As an author writes it. */
  readonly name: string
  /** Path of its page: `filters/append.html`. */
  readonly path: string
  /** One line for the index; `code` in backticks. */
  readonly summary: string
  readonly badges: readonly Badge[]
  readonly links: readonly Link[]
  readonly blocks: readonly Block[]
  /** Further words that lead to it in the search, with the place within its page. */
  readonly also: readonly { readonly name: string; readonly summary: string; readonly id: string }[]
}
