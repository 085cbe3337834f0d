/**
 * Guards the redirects of a site's templates: a developer may send a visitor anywhere, a visitor's input may not. A
 * template's text does not tell the two apart, so a target on another host is compared with what the request sent.
 */
import { domainToUnicode as unicodeName } from 'node:url'
import { hostFilter } from './host-names.ts'
import { fromRoot } from './message.ts'

/** What the targets of one request are compared with. */
export interface TargetSource {
  readonly protocol: string
  /** With its port, as the client sees it. */
  readonly host: string
  /** Path and query of the request. */
  readonly url: string
  /** The page that the visitor says to come from; '' without one. */
  readonly referer: string
  /** Further host names to which every target may lead; `*.` matches any subdomain. */
  readonly hosts: readonly string[]
  /** Values from the visitor, at any depth: parameters, and what the session keeps of earlier ones. */
  readonly sent: readonly unknown[]
}

/** Schemes that show or run something in the browser in place of leading to a server. */
const LOCAL = /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source|jar):/i
const SCHEME = /^([a-z][a-z\d+.-]*):/i
/** Deepest level of the values that are looked through; parameters cannot be nested deeper. */
const DEPTH = 100

/**
 * The target to redirect to, as it was written; null when it is no target, when browsers would read another host in it
 * than it shows, and when it leads to a host that the request named.
 */
export function siteTarget(written: string, source: TargetSource): string | null {
  // Browsers drop tabs and line breaks anywhere in a URL, and control characters and spaces at both ends.
  const trimmed = written.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '')
  const plain = trimmed.replace(/[\t\r\n]+/g, '')
  if (plain === '' || /\p{Cc}/u.test(plain)) return null
  const text = fromRoot(plain)
  const url = parsed(text, `${source.protocol}://${source.host}${source.url}`)
  if (url === null || LOCAL.test(text) || url.username !== '' || url.password !== '') return null
  if (!isWeb(url)) return isSent(url.protocol, source) ? null : trimmed
  const isPlain = SCHEME.test(text) ? /^https?:\/\/[^/\\]+/i.test(text) : !/^[/\\]{2}/.test(text)
  if (!isPlain || text.includes('\\')) return sameHost(url, source.host) ? localPart(url) : null
  if (sameHost(url, source.host) || isListed(url.host, source.hosts)) return fromRoot(trimmed)
  return plain === source.referer || isNamed(url, source) ? null : trimmed
}

/**
 * The `state` of a target on another host, with which that host may send the visitor back; null without one, and for one
 * that the request itself has sent, which another person may have chosen.
 * @param target of `siteTarget`
 * @param source its `sent` holds the parameters of the request alone
 */
export function stateOf(target: string, source: TargetSource): string | null {
  const url = parsed(target)
  if (url === null || !isWeb(url) || sameHost(url, source.host)) return null
  const state = url.searchParams.get('state')
  return state === null || isSent(asName(state), source) ? null : state
}

/** The path, query and fragment of a URL; null for a path that would name a host itself. */
function localPart({ pathname, search, hash }: URL): string | null {
  return pathname.startsWith('//') ? null : `${pathname}${search}${hash}`
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

function isListed(host: string, hosts: readonly string[]): boolean {
  return hosts.length > 0 && hostFilter(hosts)(host)
}

/** Whether a URL leads to the requested host; false when that is invalid. */
function sameHost(url: URL, host: string): boolean {
  return parsed(`${url.protocol}//${host}/`)?.host === url.host
}

function parsed(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** Whether the request contains a text, in any of the readings of what it sent. */
function isSent(text: string, source: TargetSource): boolean {
  return some(source.sent, (value) => readings(value).some((each) => each.includes(text)))
}

/** Whether the request named the host of a URL, or the end of it: `https://shop.example{{ params.rest }}`. */
function isNamed(url: URL, source: TargetSource): boolean {
  const name = url.hostname.replace(/\.$/, '')
  const names = [...new Set([name, readable(name)])]
  const wholes = names.map((each) => new RegExp(`(?<![\\p{L}\\p{N}-])${escaped(each)}(?!\\.?[\\p{L}\\p{N}-])`, 'u'))
  return some(source.sent, (value) =>
    readings(value).some(
      (text) =>
        wholes.some((whole) => whole.test(text)) ||
        names.some((each) => continues(each, text)) ||
        [text, `http://${text}`, `http:${text}`].some((each) => hostnameOf(each) === name),
    ),
  )
}

/** Whether a host name ends with what a text begins with; one label alone is no end that somebody could own. */
function continues(name: string, text: string): boolean {
  const start = /^[\p{L}\p{N}.-]+/u.exec(text)?.[0] ?? ''
  return start.includes('.', 1) && name.endsWith(start)
}

function hostnameOf(text: string): string | null {
  return text.length > 4096 ? null : (parsed(text)?.hostname.replace(/\.$/, '') ?? null)
}

/** The name with its letters instead of their ASCII form, as a visitor types it. */
function readable(name: string): string {
  return name.includes('xn--') ? unicodeName(name) : name
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** What a template may have made of a value: as it is, without escapes, from base64; as browsers read host names. */
function readings(value: string): readonly string[] {
  const found = new Set<string>()
  let text = value
  for (let round = 0; round < 4; round++) {
    found.add(asName(text))
    const next = unescaped(text)
    if (next === text) break
    text = next
  }
  if (/^[\w+/-]{8,}={0,2}$/.test(value)) found.add(asName(Buffer.from(value, 'base64').toString()))
  return [...found]
}

/** Browsers read several dots as one, drop what has no width, and ignore case and forms of letters. */
function asName(text: string): string {
  return text
    .replace(/[\p{Cf}\t\r\n]/gu, '')
    .normalize('NFKC')
    .replace(/[\u3002\uff0e\uff61]/g, '.')
    .toLowerCase()
    .trim()
}

function unescaped(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
}

/** Whether a text at any depth of the values holds for the test; names of fields count. */
function some(values: readonly unknown[], test: (text: string) => boolean, depth = 0): boolean {
  return values.some((value) => {
    if (typeof value === 'string') return test(value)
    if (typeof value !== 'object' || value === null || depth > DEPTH) return false
    return some(Array.isArray(value) ? value : Object.entries(value).flat(), test, depth + 1)
  })
}
