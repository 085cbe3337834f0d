/** Finds the URLs in a stylesheet: in `url(…)`, `@import` and `image-set(…)`, but not in comments and strings. */

/** @internal Exported for tests. */
export interface StylesheetUrl {
  /** The offset of the URL as written, without quotes. */
  readonly start: number
  readonly end: number
  /** The URL with its escapes decoded. */
  readonly url: string
}

/** A file below `/assets/` that a URL refers to. */
export interface AssetReference {
  /** The path below `/assets/`. */
  readonly name: string
  readonly at: StylesheetUrl
}

/** Tokens that can begin a URL, contain one, or end a statement. */
const INTERESTING = /\/\*|["']|\burl\(|\bimage-set\(|@import\b|@namespace\b|[(){};]/gi
const STRING = /(["'])((?:\\(?:\r\n|[^])|(?!\1)[^\\\n\r\f])*)\1/y
// The digits of an escape are matched as a whole, so that the pattern does not backtrack.
const UNQUOTED = /[ \t\n\r\f]*((?:\\(?=([\da-f]{1,6}))\2[ \t\n\r\f]?|\\[^\n\r\f\da-f]|[^\\"'()\s])*)[ \t\n\r\f]*\)/iy
const SPACE = /[ \t\n\r\f]*/y

type Parenthesis = 'image-set' | 'other'

/**
 * Returns all URLs in order. For text that is not CSS, it returns at most the URLs that a browser would find.
 * @internal Exported for tests.
 */
export function urlsOf(css: string): readonly StylesheetUrl[] {
  const urls: StylesheetUrl[] = []
  const openParentheses: Parenthesis[] = []
  let statement: 'import' | 'namespace' | null = null
  let at = 0
  const next = (): RegExpExecArray | null => {
    INTERESTING.lastIndex = at
    return INTERESTING.exec(css)
  }
  for (let match = next(); match !== null; match = next()) {
    const word = match[0].toLowerCase()
    at = match.index + word.length
    if (word === '/*') {
      const end = css.indexOf('*/', at)
      at = end < 0 ? css.length : end + 2
    } else if (word === '"' || word === "'") {
      const text = stringAt(css, match.index)
      // An unclosed string ends with its line.
      if (text === null) continue
      at = text.end + 1
      if (statement === 'import' || (openParentheses.at(-1) === 'image-set' && statement === null)) urls.push(text)
      if (statement === 'import') statement = null
    } else if (word === 'url(' && !isInsideName(css, match.index)) {
      const { url, end } = urlAt(css, at)
      at = end
      if (url !== null && statement !== 'namespace') urls.push(url)
      // The text from `url("…"` to the closing parenthesis consists of modifiers.
      if (url !== null && /["']/.test(css.charAt(url.end))) openParentheses.push('other')
      if (statement === 'import') statement = null
    } else if (word === '@import' || word === '@namespace') statement = word === '@import' ? 'import' : 'namespace'
    else if (word === 'image-set(') openParentheses.push('image-set')
    else if (word.endsWith('(')) openParentheses.push('other')
    else if (word === ')') openParentheses.pop()
    else {
      statement = null
      openParentheses.length = 0
    }
  }
  return urls
}

/** Returns whether it is part of another function name, such as `my-url(`. */
function isInsideName(css: string, at: number): boolean {
  return at > 0 && /[-\w\\\u0080-\uffff]/.test(css.charAt(at - 1))
}

function stringAt(css: string, at: number): StylesheetUrl | null {
  STRING.lastIndex = at
  const match = STRING.exec(css)
  const text = match?.[2]
  return text === undefined ? null : { start: at + 1, end: at + 1 + text.length, url: decodeEscapes(text) }
}

/** Returns the URL after `url(`, and the end: inside the parentheses for a quoted URL, after them for an unquoted one. */
function urlAt(css: string, from: number): { readonly url: StylesheetUrl | null; readonly end: number } {
  SPACE.lastIndex = from
  SPACE.exec(css)
  const at = SPACE.lastIndex
  if (css[at] === '"' || css[at] === "'") {
    const url = stringAt(css, at)
    return { url, end: url === null ? at + 1 : url.end + 1 }
  }
  UNQUOTED.lastIndex = at
  const text = UNQUOTED.exec(css)?.[1]
  if (text !== undefined)
    return { url: { start: at, end: at + text.length, url: decodeEscapes(text) }, end: UNQUOTED.lastIndex }
  const end = css.indexOf(')', at)
  return { url: null, end: end < 0 ? css.length : end + 1 }
}

function decodeEscapes(text: string): string {
  return text.replace(/\\(?:([\da-f]{1,6})[ \t\n\r\f]?|(\r\n|[^]))/gi, (_, digits?: string, sign?: string) => {
    if (digits === undefined) return /^[\n\r\f]/.test(sign ?? '') ? '' : (sign ?? '')
    const point = Number.parseInt(digits, 16)
    return point === 0 || point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point)
  })
}

/** A dummy origin. A URL that keeps it belongs to the site itself. */
const ORIGIN = 'http://site.invalid'
const ASSETS = '/assets/'

/**
 * Returns the files below `/assets/` that a stylesheet refers to, with relative or absolute paths, without itself.
 * @param name its own path below `/assets/`
 */
export function assetsNamedIn(css: string, name: string): readonly AssetReference[] {
  const base = `${ORIGIN}${ASSETS}${name.split('/').map(encodeURIComponent).join('/')}`
  return urlsOf(css).flatMap((at) => {
    const assetName = assetOf(at.url.trim(), base)
    return assetName === null || assetName === name ? [] : [{ name: assetName, at }]
  })
}

function assetOf(url: string, base: string): string | null {
  if (url === '' || url.startsWith('#') || !URL.canParse(url, base)) return null
  const { origin, pathname } = new URL(url, base)
  if (origin !== ORIGIN || !pathname.startsWith(ASSETS) || pathname.endsWith('/')) return null
  try {
    return decodeURIComponent(pathname.slice(ASSETS.length))
  } catch {
    return null
  }
}
