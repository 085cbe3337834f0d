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

/** Returns the first of two places in the order of files, so that a join does not depend on the order of its paths. */
export function earliest<Place extends Span | null>(a: Place, b: Place): Place {
  if (a === null || b === null) return a ?? b
  const isLater = a.file === b.file ? b.start < a.start : b.file < a.file
  return isLater ? b : a
}
