/** Splits a template file into front matter and body. */

interface FrontMatter {
  /** The YAML between the two lines of dashes, and its offset; null if the file has none. */
  readonly yaml: { readonly text: string; readonly start: number } | null
  /** The offset at which the template begins. */
  readonly bodyStart: number
  /** The opening dashes have no closing ones. Then the whole file counts as settings, `yaml` is null, and there is no body. */
  readonly unclosed: boolean
}

/** Blank lines may come before the opening dashes. The next line that begins with dashes closes the front matter. */
const OPEN = /^(?:[ \t]*\r?\n)*---[ \t]*(?:\r?\n|$)/
const CLOSE = /^---.*(?:\r?\n|$)/gm

/** Splits a file into settings and body. Offsets are relative to `text`. */
export function cutFrontMatter(text: string): FrontMatter {
  const open = OPEN.exec(text)
  if (open === null) return { yaml: null, bodyStart: 0, unclosed: false }
  const start = open[0].length
  CLOSE.lastIndex = start
  const close = CLOSE.exec(text)
  if (close === null) return { yaml: null, bodyStart: text.length, unclosed: true }
  return { yaml: { text: text.slice(start, close.index), start }, bodyStart: CLOSE.lastIndex, unclosed: false }
}

/** Returns everything before the body of a template. */
export function headOf(text: string): string {
  return text.slice(0, cutFrontMatter(text).bodyStart)
}
