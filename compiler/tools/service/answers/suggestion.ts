/** Types of completion results. */

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
  /** Shown next to the label: a type, a path. */
  readonly detail?: string
  /** The documentation in Markdown. */
  readonly documentation?: string
  /** The inserted text, if it differs from the label. */
  readonly insert?: string
  readonly deprecated?: true
}

/** Suggestions that replace the text between two offsets. */
export interface Suggestions {
  readonly start: number
  readonly end: number
  readonly suggestions: readonly Suggestion[]
}

export const NOTHING: Suggestions = { start: 0, end: 0, suggestions: [] }
