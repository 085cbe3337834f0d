/** Finds `liquid` tags without their `%}`. Such a tag ends at the `%}` of a later tag. */

/** Returns the start of the `liquid` tag around an unreadable line if its `%}` is missing; otherwise null. */
export function findUnclosedLiquidTag(text: string, line: number): number | null {
  const open = lastLiquidTag(text, line)
  const close = text.indexOf('%}', line)
  if (open < 0 || close < 0) return null
  const first = text.slice(line, line + 2)
  if (first !== '{%' && !/^<[a-zA-Z/!]/.test(first)) return null
  // If the next delimiter opens another tag, the `liquid` tag lacks its `%}`.
  const inner = text.lastIndexOf('{%', close)
  const next = text.indexOf('%}', close + 2)
  const nextTag = text.indexOf('{%', close + 2)
  return inner > open && (next < 0 || (nextTag >= 0 && nextTag < next)) ? open : null
}

function lastLiquidTag(text: string, before: number): number {
  for (let at = text.lastIndexOf('{%', before); at >= 0; at = text.lastIndexOf('{%', at - 1)) {
    if (/^\{%-?\s*liquid\b/.test(text.slice(at, at + 40))) return at
    if (at === 0) break
  }
  return -1
}
