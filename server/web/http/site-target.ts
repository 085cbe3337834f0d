/**
 * Prevents open redirects in a site's templates. A developer may redirect to any host, but a visitor's input must not
 * choose the host. A template's output does not show whether the developer or the visitor named the host. So a target
 * on another host is compared with the values in the request.
 */
import { domainToUnicode as unicodeName } from 'node:url'
import { hostFilter } from './host-names.ts'
import { fromRoot } from './message.ts'

/** The values of a request that its redirect targets are compared with. */
interface TargetSource {
  readonly protocol: string
  /** Requested host with its port, as the client sees it. */
  readonly host: string
  /** Path and query of the request. */
  readonly url: string
  /** The `Referer` header; '' when missing. */
  readonly referer: string
  /** Further host names to which every target may lead; `*.` matches any subdomain. */
  readonly hosts: readonly string[]
  /** Values from the visitor, at any depth: parameters, and what the session keeps of earlier ones. */
  readonly sent: readonly unknown[]
}

/** Schemes that show or run something in the browser and do not lead to a server. */
const LOCAL_SCHEMES = /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source|jar):/i
const SCHEME = /^([a-z][a-z\d+.-]*):/i
/** Deepest level of the searched values. Parameters cannot be nested deeper. */
const MAX_DEPTH = 100

/**
 * Returns the target unchanged if the redirect is safe. Returns null when the target is not a URL, when browsers would
 * read another host than the text shows, or when it leads to a host that the request named.
 */
export function siteTarget(writtenText: string, source: TargetSource): string | null {
  // Browsers drop tabs and line breaks anywhere in a URL, and control characters and spaces at both ends.
  const trimmed = writtenText.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '')
  const withoutBreaks = trimmed.replace(/[\t\r\n]+/g, '')
  if (withoutBreaks === '' || /\p{Cc}/u.test(withoutBreaks)) return null
  const text = fromRoot(withoutBreaks)
  const url = parseUrl(text, `${source.protocol}://${source.host}${source.url}`)
  if (url === null || LOCAL_SCHEMES.test(text) || url.username !== '' || url.password !== '') return null
  if (!isWeb(url)) return requestContains(url.protocol, source) ? null : trimmed
  const isPlain = SCHEME.test(text) ? /^https?:\/\/[^/\\]+/i.test(text) : !/^[/\\]{2}/.test(text)
  if (!isPlain || text.includes('\\')) return sameHost(url, source.host) ? localPart(url) : null
  if (sameHost(url, source.host) || isListed(url.host, source.hosts)) return fromRoot(trimmed)
  return withoutBreaks === source.referer || requestNamesHost(url, source) ? null : trimmed
}

/**
 * Returns the `state` of a target on another host, with which that host may send the visitor back. Null without a state,
 * and for a state that the request itself has sent, because another person may have chosen it.
 * @param target returned by `siteTarget`
 * @param source its `sent` contains only the parameters of the request
 */
export function stateInTarget(target: string, source: TargetSource): string | null {
  const url = parseUrl(target)
  if (url === null || !isWeb(url) || sameHost(url, source.host)) return null
  const state = url.searchParams.get('state')
  return state === null || requestContains(normalizeHost(state), source) ? null : state
}

/** Returns the path, query and fragment of a URL; null for a path that would name a host. */
function localPart({ pathname, search, hash }: URL): string | null {
  return pathname.startsWith('//') ? null : `${pathname}${search}${hash}`
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

function isListed(host: string, hosts: readonly string[]): boolean {
  return hosts.length > 0 && hostFilter(hosts)(host)
}

/** Returns whether a URL leads to the requested host; false when the host is invalid. */
function sameHost(url: URL, host: string): boolean {
  return parseUrl(`${url.protocol}//${host}/`)?.host === url.host
}

function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** Returns whether the request contains a text, in any decoding of its values. */
function requestContains(text: string, source: TargetSource): boolean {
  return someText(source.sent, (value) => decodings(value).some((each) => each.includes(text)))
}

/** Returns whether the request named the host of a URL, or the end of it: `https://shop.example{{ params.rest }}`. */
function requestNamesHost(url: URL, source: TargetSource): boolean {
  const name = url.hostname.replace(/\.$/, '')
  const names = [...new Set([name, unicodeHost(name)])]
  const wholes = names.map(
    (each) => new RegExp(`(?<![\\p{L}\\p{N}-])${escapeRegExp(each)}(?!\\.?[\\p{L}\\p{N}-])`, 'u'),
  )
  return someText(source.sent, (value) =>
    decodings(value).some(
      (text) =>
        wholes.some((hostName) => hostName.test(text)) ||
        names.some((each) => endsWithBeginningOf(each, text)) ||
        [text, `http://${text}`, `http:${text}`].some((each) => parseHostname(each) === name),
    ),
  )
}

/** Returns whether a host name ends with the beginning of a text. A single label does not count: no one can own it. */
function endsWithBeginningOf(name: string, text: string): boolean {
  const hostBeginning = /^[\p{L}\p{N}.-]+/u.exec(text)?.[0] ?? ''
  return hostBeginning.includes('.', 1) && name.endsWith(hostBeginning)
}

function parseHostname(text: string): string | null {
  return text.length > 4096 ? null : (parseUrl(text)?.hostname.replace(/\.$/, '') ?? null)
}

/** Returns a host name with Unicode letters instead of their ASCII form, as a visitor types it. */
function unicodeHost(name: string): string {
  return name.includes('xn--') ? unicodeName(name) : name
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** Returns the texts that a template may have made of a value: unchanged, unescaped, or decoded from base64. */
function decodings(value: string): readonly string[] {
  const decodedTexts = new Set<string>()
  let text = value
  for (let round = 0; round < 4; round++) {
    decodedTexts.add(normalizeHost(text))
    const next = unescapeText(text)
    if (next === text) break
    text = next
  }
  if (/^[\w+/-]{8,}={0,2}$/.test(value)) decodedTexts.add(normalizeHost(Buffer.from(value, 'base64').toString()))
  return [...decodedTexts]
}

/** Normalizes a host name as browsers do: other dots, invisible characters, case and forms of letters. */
function normalizeHost(text: string): string {
  return text
    .replace(/[\p{Cf}\t\r\n]/gu, '')
    .normalize('NFKC')
    .replace(/[\u3002\uff0e\uff61]/g, '.')
    .toLowerCase()
    .trim()
}

function unescapeText(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
}

/** Returns whether any text in the values passes the test, at any depth. Names of fields are also tested. */
function someText(values: readonly unknown[], test: (text: string) => boolean, depth = 0): boolean {
  return values.some((value) => {
    if (typeof value === 'string') return test(value)
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
    return someText(Array.isArray(value) ? value : Object.entries(value).flat(), test, depth + 1)
  })
}
