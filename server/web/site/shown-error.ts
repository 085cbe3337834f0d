/** Errors of the compiler as pages of a site in development show them. */

/** A change that fixes an error. */
export interface ShownFix {
  /** Identifies the fix and the texts that it applies to. */
  readonly id: string
  /** The fix as an action: ``Write `upcase` ``. */
  readonly title: string
  /** `start` and `end` are offsets in the text of the file, in UTF-16 units. */
  readonly edits: readonly {
    readonly file: string
    readonly start: number
    readonly end: number
    readonly text: string
  }[]
  /** SHA-256 of the text of each edited file, in hexadecimal. The fix applies to these texts only. */
  readonly digests: Readonly<Record<string, string>>
}

export interface ShownError {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly code: string
  readonly message: string
  readonly hint: string | null
  /** The marked line with the lines around it. `first` is the number of the first line, `length` that of the marked characters. */
  readonly frame: { readonly first: number; readonly lines: readonly string[]; readonly length: number } | null
  /** The fix; null if its exact edits are not known. */
  readonly fix: ShownFix | null
}

/** The compiler's errors of a file. */
export interface FileErrors {
  /** As the terminal prints them. */
  readonly report: string
  /** One by one. There may be fewer, because their number is limited. */
  readonly shown: readonly ShownError[]
}
