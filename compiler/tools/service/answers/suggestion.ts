/** What could be written at a place. Data only. */

export type SuggestionKind =
  | 'tag'
  | 'filter'
  | 'variable'
  | 'property'
  | 'argument'
  | 'file'
  | 'query'
  | 'form'
  | 'translation'
  | 'page'
  | 'setting'
  | 'value'
  | 'field'
  | 'table'

export interface Suggestion {
  readonly label: string
  readonly kind: SuggestionKind
  /** Beside the label: a type, a path. */
  readonly detail?: string
  /** In Markdown. */
  readonly documentation?: string
  /** What is written, where that is not the label. */
  readonly insert?: string
  readonly deprecated?: true
}

/** Suggestions for what stands between two offsets. */
export interface Suggestions {
  readonly start: number
  readonly end: number
  readonly all: readonly Suggestion[]
}

export const NOTHING: Suggestions = { start: 0, end: 0, all: [] }
