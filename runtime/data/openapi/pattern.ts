/** Patterns of forms as JSON Schema has them: ECMAScript, searched for anywhere in the text, without flags. */

/** What differs outside of classes. */
const OUTSIDE: ReadonlyMap<string, string> = new Map([
  ['\\A', '^'],
  ['\\z', '$'],
  ['\\Z', '(?=\\n?$)'],
  ['\\h', '[0-9a-fA-F]'],
  ['\\H', '[^0-9a-fA-F]'],
])

/** Ends of lines, where the form asks for them. */
const LINES: ReadonlyMap<string, string> = new Map([
  ['^', '(?<![^\\n])'],
  ['$', '(?![^\\n])'],
])

/** What ECMAScript reads as something else, or not at all. */
const FOREIGN = /\(\?[#>imxsUa-]|\\[GKRXQEpP]|\[\[:|&&|[*+?}]\+/

/**
 * A pattern that matches the same texts.
 * @param source as in a form: `\A[a-z]+\z`, or `/[a-z]+/` between slashes
 * @param multiline whether `^` and `$` are the ends of lines
 * @returns null where there is none
 */
export function schemaPattern(source: string, multiline: boolean): string | null {
  const delimited = /^\/(.*)\/([imx]*)$/s.exec(source)
  if (delimited !== null && delimited[2] !== '') return null
  const inner = delimited?.[1] ?? source
  if (FOREIGN.test(inner)) return null
  const pattern = translated(inner, multiline)
  if (pattern === null) return null
  try {
    new RegExp(pattern, 'u')
    return pattern
  } catch {
    return null
  }
}

function translated(source: string, multiline: boolean): string | null {
  let inClass = false
  let out = ''
  for (const [token] of source.matchAll(/\\.|[^\\]/gsu)) {
    if (!inClass) {
      out += OUTSIDE.get(token) ?? (multiline ? LINES.get(token) : undefined) ?? unescaped(token, false)
      if (token === '[') inClass = true
      continue
    }
    // A class within a class.
    if (token === '[') return null
    if (token === ']') inClass = false
    out += token === '\\h' ? '0-9a-fA-F' : unescaped(token, true)
  }
  return out
}

// With `u`, ECMAScript refuses to escape what means nothing anyway: `\@`, `\_`, `\ `, and `\-` outside of classes.
function unescaped(token: string, inClass: boolean): string {
  return /^\\[\s@_'"#%&,:;<=>!~`-]$/.test(token) && !(inClass && token === '\\-') ? token.slice(1) : token
}
