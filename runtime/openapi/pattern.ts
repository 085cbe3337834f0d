/** Patterns of forms as JSON Schema has them: ECMAScript, searched for anywhere in the text, without flags. */

/** What differs outside of classes. `^` and `$` mean lines in forms, and the whole text in schemas. */
const OUTSIDE: ReadonlyMap<string, string> = new Map([
  ['\\A', '^'],
  ['\\z', '$'],
  ['\\Z', '(?=\\n?$)'],
  ['\\h', '[0-9a-fA-F]'],
  ['\\H', '[^0-9a-fA-F]'],
  ['^', '(?<![^\\n])'],
  ['$', '(?![^\\n])'],
])

/** What ECMAScript reads as something else, or not at all. */
const FOREIGN = /\(\?[#>imxa-]|\\[GKRX]|\[\[:|&&|[*+?}]\+/

/**
 * A pattern that matches the same texts.
 * @param source as in a form: `\A[a-z]+\z`, or `/[a-z]+/` between slashes
 * @returns null where there is none
 */
export function schemaPattern(source: string): string | null {
  const slashed = /^\/(.*)\/([a-z]*)$/s.exec(source)
  if (slashed !== null && slashed[2] !== '') return null
  const inner = slashed?.[1] ?? source
  if (FOREIGN.test(inner)) return null
  const pattern = translated(inner)
  if (pattern === null) return null
  try {
    new RegExp(pattern, 'u')
    return pattern
  } catch {
    return null
  }
}

function translated(source: string): string | null {
  let inClass = false
  let out = ''
  for (const [token] of source.matchAll(/\\.|[^\\]/gsu)) {
    if (!inClass) {
      out += OUTSIDE.get(token) ?? unescaped(token)
      if (token === '[') inClass = true
      continue
    }
    // A class within a class.
    if (token === '[') return null
    if (token === ']') inClass = false
    out += token === '\\h' ? '0-9a-fA-F' : unescaped(token)
  }
  return out
}

// ECMAScript with `u` refuses escapes of what means nothing: `\@`, `\_`, `\-` outside of classes, `\ `.
function unescaped(token: string): string {
  return /^\\[\s@_'"#%&,:;<=>!~`-]$/.test(token) ? (token === '\\-' ? '\\x2d' : token.slice(1)) : token
}
