/** Where a piece of text stands: a file and two offsets into its text. Lines and columns exist only where they are printed. */
export interface Span {
  /** Path of the file, relative to the site's root, with forward slashes. */
  readonly file: string
  /** Offset of the first character, in UTF-16 units. */
  readonly start: number
  /** Offset behind the last character. */
  readonly end: number
}

export function span(file: string, start: number, end: number): Span {
  return { file, start, end }
}

/** The smallest span that holds both; they must lie in one file. */
export function cover(a: Span, b: Span): Span {
  return { file: a.file, start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) }
}
