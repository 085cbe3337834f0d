/** Reduces HTML to an allow-list, in the format of the platform's options. */
import sanitizeHtml from 'sanitize-html'
import { ArgumentFault } from '../../fault.ts'
import { copyHash, entries, type HashValue, isHash, removeKey, setKey } from '../../values/access.ts'
import { items } from '../../values/items.ts'
import { parseJson } from '../../values/json.ts'
import { MAX_DEPTH, tooDeep } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { isBlank } from '../../values/truth.ts'
import { chargeText } from '../../values/meter.ts'

/** The default allow-list. */
export const DEFAULT_RULES: HashValue = {
  elements: (
    'a abbr b blockquote br cite code dd dfn dl dt em i h1 h2 h3 h4 h5 h6 img kbd li mark ol p pre q s samp small ' +
    'strike strong sub sup time u ul var'
  ).split(' '),
  attributes: {
    a: ['href'],
    abbr: ['title'],
    blockquote: ['cite'],
    img: ['align', 'alt', 'border', 'height', 'src', 'srcset', 'width'],
    dfn: ['title'],
    q: ['cite'],
    time: ['datetime', 'pubdate'],
  },
  add_attributes: { a: { rel: 'nofollow' } },
  protocols: {
    a: { href: ['ftp', 'http', 'https', 'mailto', 'tel', 'sms', 'relative'] },
    blockquote: { cite: ['http', 'https', 'relative'] },
    q: { cite: ['http', 'https', 'relative'] },
    img: { src: ['http', 'https', 'relative'] },
  },
}

/**
 * Returns the allow-list of an argument. A hash or its JSON text replaces the default; an array replaces its
 * elements.
 * @throws ArgumentFault for invalid JSON
 */
export function readRules(options: unknown): HashValue {
  if (isHash(options)) return options
  if (Array.isArray(options)) return { ...DEFAULT_RULES, elements: options }
  const text = str(options)
  if (isBlank(text) || text === 'SANITIZE_DEFAULT') return DEFAULT_RULES
  const parsed = parseJson(text)
  if (!isHash(parsed)) throw new ArgumentFault('sanitize filter - options must be a hash')
  return parsed
}

/**
 * Merges rules. Nil removes a key, and an empty hash empties it.
 * @throws ArgumentFault for hashes nested without end
 */
export function mergeRules(rules: HashValue, addedRules: unknown, depth = 0): HashValue {
  if (!isHash(addedRules)) return rules
  if (depth > MAX_DEPTH) throw tooDeep()
  const merged = copyHash(rules)
  for (const [key, value] of entries(addedRules)) {
    const oldValue = Object.hasOwn(merged, key) ? merged[key] : null
    if (value === null || value === undefined) removeKey(merged, key)
    else if (isHash(value) && isHash(oldValue) && Object.keys(value).length > 0)
      setKey(merged, key, mergeRules(oldValue, value, depth + 1))
    else setKey(merged, key, value)
  }
  return merged
}

/** Maximum number of open elements, because the library's time is quadratic in them. */
const MAX_OPEN = 5000

const TAG = /<(\/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)[a-z]/gi

function checkNesting(html: string): void {
  let openElements = 0
  for (const [, slash] of html.matchAll(TAG)) {
    openElements = slash === '' ? openElements + 1 : Math.max(0, openElements - 1)
    if (openElements > MAX_OPEN) throw tooDeep()
  }
}

/** Reduces HTML to what the rules allow. @throws ArgumentFault for elements nested too deep */
export function sanitizeMarkup(html: string, rules: HashValue): string {
  chargeText(32 * html.length)
  checkNesting(html)
  const added = readHash(rules, 'add_attributes')
  const protocols = readHash(rules, 'protocols')
  const allowed = allowedAttributes(rules, added)
  return sanitizeHtml(html, {
    allowedTags: allowedElements(rules),
    allowedAttributes: allowed,
    // These URL schemes are allowed in any attribute. The schemes of single attributes are checked below.
    allowedSchemes: ['ftp', 'http', 'https', 'mailto', 'tel', 'sms'],
    allowedSchemesAppliedToAttributes: [
      'href',
      'src',
      'cite',
      'action',
      'formaction',
      'poster',
      'background',
      'data',
      'xlink:href',
    ],
    nonTextTags: removedElements(readKey(rules, 'remove_contents')),
    transformTags: {
      '*': (tagName, attributes) => ({ tagName, attribs: applyRules(tagName, attributes, protocols, added) }),
    },
  })
}

function readKey(rules: HashValue, key: string): unknown {
  return Object.hasOwn(rules, key) ? rules[key] : null
}

function readHash(rules: HashValue, key: string): HashValue {
  const value = readKey(rules, key)
  return isHash(value) ? value : {}
}

/** Maximum number of allowed elements, because the library searches all of them for each tag. HTML has about 150. */
const MAX_ELEMENTS = 1000

function allowedElements(rules: HashValue): string[] {
  const names = new Set(items(readKey(rules, 'elements')).map(str))
  if (names.size > MAX_ELEMENTS)
    throw new ArgumentFault(`sanitize filter - options name more than ${MAX_ELEMENTS} elements`)
  return [...names]
}

function removedElements(removed: unknown): string[] {
  const alwaysRemoved = ['script', 'style', 'textarea', 'option', 'noscript']
  return Array.isArray(removed) ? [...alwaysRemoved, ...removed.map(str)] : alwaysRemoved
}

/** Returns the allowed attributes by element, including the added attributes. `all` applies to every element. */
function allowedAttributes(rules: HashValue, added: HashValue): Record<string, string[]> {
  const allowed: Record<string, string[]> = Object.create(null)
  for (const [element, names] of entries(readHash(rules, 'attributes'))) {
    const elementName = element === 'all' || element === ':all' ? '*' : element
    // Removes event handlers, and `*`, which would allow event handlers.
    allowed[elementName] = items(names)
      .map(str)
      .filter((name) => !/^on|\*/i.test(name))
  }
  for (const [element, values] of entries(added)) {
    if (isHash(values)) allowed[element] = [...(allowed[element] ?? []), ...Object.keys(values)]
  }
  return allowed
}

function applyRules(
  element: string,
  attributes: Readonly<Record<string, string>>,
  protocols: HashValue,
  added: HashValue,
): Record<string, string> {
  const result: Record<string, string> = {}
  const schemes = readHash(protocols, element)
  for (const [name, value] of Object.entries(attributes)) {
    const allowed = readKey(schemes, name)
    if (allowed === null || items(allowed).map(str).includes(readScheme(value))) result[name] = value
  }
  for (const [name, value] of entries(readHash(added, element))) result[name] = str(value)
  return result
}

/** Returns the scheme of a URL as a browser reads it, or `relative` when it has none. */
function readScheme(url: string): string {
  const visibleUrl = url.replace(/[\u0000-\u0020\u007f-\u00a0]+/g, '').slice(0, 100)
  return /^([^/?#:]*):/.exec(visibleUrl)?.[1]?.toLowerCase() ?? 'relative'
}
