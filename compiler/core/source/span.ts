/** A range of text: a file and two offsets. Lines and columns are only computed for output. */
export interface Span {
  /** The path of the file, relative to the root of the site, with forward slashes. */
  readonly file: string
  /** The offset of the first character, in UTF-16 units. */
  readonly start: number
  /** The offset after the last character. */
  readonly end: number
}

export function span(file: string, start: number, end: number): Span {
  return { file, start, end }
}
