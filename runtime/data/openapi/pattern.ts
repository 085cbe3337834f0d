/**
 * Converts the patterns of forms to those of JSON Schema: ECMAScript expressions without flags that match anywhere in a
 * text.
 */

/** Syntax outside of character classes that differs. */
const OUTSIDE: ReadonlyMap<string, string> = new Map([
  ['\\A', '^'],
  ['\\z', '$'],
  ['\\Z', '(?=\\n?$)'],
  ['\\h', '[0-9a-fA-F]'],
  ['\\H', '[^0-9a-fA-F]'],
])

/** Anchors of lines, for forms that use them. */
const LINES: ReadonlyMap<string, string> = new Map([
  ['^', '(?<![^\\n])'],
  ['$', '(?![^\\n])'],
])

/** Syntax that ECMAScript interprets differently or lacks. */
const FOREIGN = /\(\?[#>imxsUa-]|\\[GKRXQEpP]|\[\[:|&&|[*+?}]\+/

/**
 * The equivalent ECMAScript pattern.
 * @param source as in a form: `\A[a-z]+\z`, or `/[a-z]+/` with slashes
 * @param multiline whether `^` and `$` match at line breaks
 * @returns null when there is none
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
    // A nested character class.
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
