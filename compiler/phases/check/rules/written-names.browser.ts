/** Replaces the counts of words in browsers, which do not have the whole site. */
export function timesWritten(): number {
  return 0
}

export function wordsWritten(): ReadonlyMap<string, number> {
  return new Map()
}
