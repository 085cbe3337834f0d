/**
 * Converts regular expressions of forms to patterns of JSON Schema: ECMAScript regular expressions without flags, which may match anywhere
 * in a text.
 */

/** Ruby syntax outside of character classes, with the equivalent ECMAScript syntax. */
const OUTSIDE: ReadonlyMap<string, string> = new Map([
  ['\\A', '^'],
  ['\\z', '$'],
  ['\\Z', '(?=\\n?$)'],
  ['\\h', '[0-9a-fA-F]'],
  ['\\H', '[^0-9a-fA-F]'],
])

/** Line anchors, with the equivalent ECMAScript syntax, for forms in which `^` and `$` match at line breaks. */
const LINES: ReadonlyMap<string, string> = new Map([
  ['^', '(?<![^\\n])'],
  ['$', '(?![^\\n])'],
])

/** Syntax that ECMAScript interprets differently or lacks. */
const FOREIGN = /\(\?[#>imxsUa-]|\\[GKRXQEpP]|\[\[:|&&|[*+?}]\+/

/**
 * Returns the equivalent ECMAScript pattern.
 * @param source as written in a form: `\A[a-z]+\z`, or `/[a-z]+/` with slashes
 * @param multiline whether `^` and `$` match at line breaks
 * @returns null when no equivalent pattern exists
 */
export function schemaPattern(source: string, multiline: boolean): string | null {
  const delimited = /^\/(.*)\/([imx]*)$/s.exec(source)
  if (delimited !== null && delimited[2] !== '') return null
  const expression = delimited?.[1] ?? source
  if (FOREIGN.test(expression)) return null
  const pattern = translatePattern(expression, multiline)
  if (pattern === null) return null
  try {
    new RegExp(pattern, 'u')
    return pattern
  } catch {
    return null
  }
}

function translatePattern(source: string, multiline: boolean): string | null {
  let inClass = false
  let out = ''
  for (const [token] of source.matchAll(/\\.|[^\\]/gsu)) {
    if (!inClass) {
      out += OUTSIDE.get(token) ?? (multiline ? LINES.get(token) : undefined) ?? withoutNeedlessEscape(token, false)
      if (token === '[') inClass = true
      continue
    }
    // A character class inside another one, which ECMAScript lacks without the flag `v`.
    if (token === '[') return null
    if (token === ']') inClass = false
    out += token === '\\h' ? '0-9a-fA-F' : withoutNeedlessEscape(token, true)
  }
  return out
}

// With the flag `u`, ECMAScript rejects needless escapes such as `\@`, `\_`, `\ `, and `\-` outside of classes, so they
// are removed.
function withoutNeedlessEscape(token: string, inClass: boolean): string {
  return /^\\[\s@_'"#%&,:;<=>!~`-]$/.test(token) && !(inClass && token === '\\-') ? token.slice(1) : token
}
