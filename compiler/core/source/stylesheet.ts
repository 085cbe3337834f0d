/** The URLs in a stylesheet: those of `url(…)`, `@import` and `image-set(…)`, and nothing that looks like them in comments and texts. */

export interface StylesheetUrl {
  /** Where the URL stands as it is written, without quotes. */
  readonly start: number
  readonly end: number
  /** With its escapes read. */
  readonly url: string
}

/** A file below `/assets/` that a URL names. */
export interface AssetReference {
  /** Its path below `/assets/`. */
  readonly name: string
  readonly at: StylesheetUrl
}

/** What may begin a URL, hide one, or end a statement. */
const INTERESTING = /\/\*|["']|\burl\(|\bimage-set\(|@import\b|@namespace\b|[(){};]/gi
const STRING = /(["'])((?:\\(?:\r\n|[^])|(?!\1)[^\\\n\r\f])*)\1/y
// The digits of an escape are taken as a whole, so that no text is tried in more than one way.
const UNQUOTED = /[ \t\n\r\f]*((?:\\(?=([\da-f]{1,6}))\2[ \t\n\r\f]?|\\[^\n\r\f\da-f]|[^\\"'()\s])*)[ \t\n\r\f]*\)/iy
const SPACE = /[ \t\n\r\f]*/y

type Parenthesis = 'image-set' | 'other'

/** All URLs, in the order in which they stand. Text that is no CSS has none, or those that a browser would find as well. */
export function urlsOf(css: string): readonly StylesheetUrl[] {
  const found: StylesheetUrl[] = []
  const open: Parenthesis[] = []
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
      // An unclosed text ends with its line.
      if (text === null) continue
      at = text.end + 1
      if (statement === 'import' || (open.at(-1) === 'image-set' && statement === null)) found.push(text)
      if (statement === 'import') statement = null
    } else if (word === 'url(' && !isInsideName(css, match.index)) {
      const { url, end } = urlAt(css, at)
      at = end
      if (url !== null && statement !== 'namespace') found.push(url)
      // What follows `url("…"` up to its end are modifiers.
      if (url !== null && /["']/.test(css.charAt(url.end))) open.push('other')
      if (statement === 'import') statement = null
    } else if (word === '@import' || word === '@namespace') statement = word === '@import' ? 'import' : 'namespace'
    else if (word === 'image-set(') open.push('image-set')
    else if (word.endsWith('(')) open.push('other')
    else if (word === ')') open.pop()
    else {
      statement = null
      open.length = 0
    }
  }
  return found
}

/** `my-url(` is another function. */
function isInsideName(css: string, at: number): boolean {
  return at > 0 && /[-\w\\\u0080-\uffff]/.test(css.charAt(at - 1))
}

function stringAt(css: string, at: number): StylesheetUrl | null {
  STRING.lastIndex = at
  const match = STRING.exec(css)
  const text = match?.[2]
  return text === undefined ? null : { start: at + 1, end: at + 1 + text.length, url: unescaped(text) }
}

/** The URL behind `url(`, and where to read on: inside the parentheses of a quoted one, and behind those of an unquoted one. */
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
    return { url: { start: at, end: at + text.length, url: unescaped(text) }, end: UNQUOTED.lastIndex }
  const end = css.indexOf(')', at)
  return { url: null, end: end < 0 ? css.length : end + 1 }
}

function unescaped(text: string): string {
  return text.replace(/\\(?:([\da-f]{1,6})[ \t\n\r\f]?|(\r\n|[^]))/gi, (_, digits?: string, sign?: string) => {
    if (digits === undefined) return /^[\n\r\f]/.test(sign ?? '') ? '' : (sign ?? '')
    const point = Number.parseInt(digits, 16)
    return point === 0 || point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point)
  })
}

/** Any origin: a URL that keeps it leads to the site itself. */
const ORIGIN = 'http://site.invalid'
const ASSETS = '/assets/'

/**
 * The files below `/assets/` that a stylesheet names, relative or from the root; itself left out.
 * @param name its own path below `/assets/`
 */
export function assetsNamedIn(css: string, name: string): readonly AssetReference[] {
  const base = `${ORIGIN}${ASSETS}${name.split('/').map(encodeURIComponent).join('/')}`
  return urlsOf(css).flatMap((at) => {
    const named = assetOf(at.url.trim(), base)
    return named === null || named === name ? [] : [{ name: named, at }]
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
