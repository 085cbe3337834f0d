/** `liquid` tags without their `%}`: what ends them is the delimiter of a tag that was to stand behind them. */

/** The beginning of the `liquid` tag around a line that fits no tag, where its end is missing; null where it has one. */
export function unclosedLines(text: string, line: number): number | null {
  const open = lastLiquid(text, line)
  const close = text.indexOf('%}', line)
  if (open < 0 || close < 0) return null
  const first = text.slice(line, line + 2)
  if (first !== '{%' && !/^<[a-zA-Z/!]/.test(first)) return null
  // The next delimiter behind it begins something, so that no `%}` is left for the tag itself.
  const inner = text.lastIndexOf('{%', close)
  const next = text.indexOf('%}', close + 2)
  const another = text.indexOf('{%', close + 2)
  return inner > open && (next < 0 || (another >= 0 && another < next)) ? open : null
}

function lastLiquid(text: string, before: number): number {
  for (let at = text.lastIndexOf('{%', before); at >= 0; at = text.lastIndexOf('{%', at - 1)) {
    if (/^\{%-?\s*liquid\b/.test(text.slice(at, at + 40))) return at
    if (at === 0) break
  }
  return -1
}
