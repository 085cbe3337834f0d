/** Cuts a template's file into its settings and its body. */

export interface FrontMatter {
  /** The YAML between the two lines of dashes, and where it begins; null when the file has none. */
  readonly yaml: { readonly text: string; readonly start: number } | null
  /** Where the template begins. */
  readonly bodyStart: number
  /** The opening dashes have no closing ones: the whole file counts as settings, `yaml` is null and there is no body. */
  readonly unclosed: boolean
}

/** Blank lines may precede the first line of dashes; the next line that begins with dashes closes. */
const OPEN = /^(?:[ \t]*\r?\n)*---[ \t]*(?:\r?\n|$)/
const CLOSE = /^---.*(?:\r?\n|$)/gm

/** Settings and body of a file. Offsets count from the beginning of `text`. */
export function cutFrontMatter(text: string): FrontMatter {
  const open = OPEN.exec(text)
  if (open === null) return { yaml: null, bodyStart: 0, unclosed: false }
  const start = open[0].length
  CLOSE.lastIndex = start
  const close = CLOSE.exec(text)
  if (close === null) return { yaml: null, bodyStart: text.length, unclosed: true }
  return { yaml: { text: text.slice(start, close.index), start }, bodyStart: CLOSE.lastIndex, unclosed: false }
}

/** All that stands before the body of a template. */
export function headOf(text: string): string {
  return text.slice(0, cutFrontMatter(text).bodyStart)
}
