/** In a browser the templates are no whole site, in which names could be counted. */
export function timesWritten(): number {
  return 0
}

export function wordsWritten(): ReadonlyMap<string, number> {
  return new Map()
}
