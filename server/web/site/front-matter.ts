/** Splits a template file into front matter and body, with the same rules as the compiler. */

export interface FrontMatter {
  /** The range of the YAML between the two lines of dashes; null without front matter. */
  readonly yaml: { readonly start: number; readonly end: number } | null
  /** The offset at which the template begins. */
  readonly bodyStart: number
  /** Whether the opening dashes have no closing ones. Then the file has no body. */
  readonly isUnclosed: boolean
}

/** Blank lines may come before the opening dashes. The next line that begins with dashes closes the front matter. */
const OPEN = /^(?:[ \t]*\r?\n)*---[ \t]*(?:\r?\n|$)/
const CLOSE = /^---.*(?:\r?\n|$)/gm

export function cutFrontMatter(text: string): FrontMatter {
  const open = OPEN.exec(text)
  if (open === null) return { yaml: null, bodyStart: 0, isUnclosed: false }
  const start = open[0].length
  CLOSE.lastIndex = start
  const close = CLOSE.exec(text)
  if (close === null) return { yaml: null, bodyStart: text.length, isUnclosed: true }
  return { yaml: { start, end: close.index }, bodyStart: CLOSE.lastIndex, isUnclosed: false }
}
