/** A range of text: a file and two offsets. Lines and columns are only computed for output. */
export interface Span {
  /** The path of the file, relative to the root of the site, with forward slashes. */
  readonly file: string
  /** The offset of the first character, in UTF-16 units. */
  readonly start: number
  /** The offset after the last character. */
  readonly end: number
  /** The words that the offsets count from, if not from the start of the file. See `mark.ts`. */
  readonly mark?: Mark
}

/** A place in a file, named by its words: their occurrence with this number, from 0. */
export interface Mark {
  readonly words: string
  readonly nth: number
}

export function span(file: string, start: number, end: number): Span {
  return { file, start, end }
}

/** Returns the first of two places in the order of files, so that a join does not depend on the order of its paths. */
export function earliest<Place extends Span | null>(a: Place, b: Place): Place {
  if (a === null || b === null) return a ?? b
  if (a.file !== b.file) return b.file < a.file ? b : a
  const markOrder = (b.mark?.nth ?? 0) - (a.mark?.nth ?? 0)
  return (markOrder === 0 ? b.start - a.start : markOrder) < 0 ? b : a
}

/** Returns a text that is equal for equal spans. */
export function spanKey({ file, start, end, mark }: Span): string {
  return `${file}:${mark === undefined ? '' : `${mark.words}:${mark.nth}:`}${start}:${end}`
}
