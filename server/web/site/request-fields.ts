/** Fields of `context` that depend only on the request: location, headers under CGI names, and cookies. */
import { encodeForm } from '../../../runtime/page/filters/web/encode-form.ts'
import type { RequestContext } from '../../../runtime/page/request-context.ts'
import type { Scope } from '../../../runtime/page/site.ts'
import { TextualHash } from '../../../runtime/page/values/textual-hash.ts'
import type { Request } from '../http/message.ts'
import { parsePairs, plainParams } from '../http/params.ts'

export function locationFields(request: Request): NonNullable<RequestContext['location']> {
  const query = request.query
  const location = {
    href: `${request.protocol}://${request.host}${request.url}`,
    url: request.url,
    host: request.host,
    pathname: request.path,
  }
  // A new object for each read, so that a template's changes do not affect the next read.
  const set = (value: unknown): void => {
    Object.defineProperty(location, 'search', { value, enumerable: true, writable: true, configurable: true })
  }
  Object.defineProperty(location, 'search', {
    get: () => searchFields(query),
    set,
    enumerable: true,
    configurable: true,
  })
  return location
}

/** Returns the query's parameters. While unchanged, they print as the query that was sent. */
function searchFields(query: string): TextualHash {
  return new TextualHash(plainParams(parsePairs(query)), (hash) => {
    const text = encodeForm(hash, false)
    return text === encodeForm(parsePairs(query), false) ? query : text
  })
}

/** Headers with credentials, which a page that prints all headers must not reveal. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'HTTP_AUTHORIZATION',
  'HTTP_PROXY_AUTHORIZATION',
  'HTTP_AUTHENTICATION_TOKEN',
  'HTTP_API_KEY',
  'HTTP_X_CSRF_TOKEN',
])

/** Returns the headers under the documented names, such as `HTTP_USER_AGENT`. Cookies have a separate field. */
export function headerFields(request: Request): Scope {
  const port = /:(\d+)$/.exec(request.host)?.[1]
  const fields: Scope = {
    // The same as `context.location.host`. The `Host` header behind a proxy was not checked.
    HTTP_HOST: request.host,
    SERVER_NAME: request.host.replace(/:\d+$/, ''),
    SERVER_PORT: port ?? (request.protocol === 'https' ? '443' : '80'),
    REQUEST_METHOD: request.method,
    PATH_INFO: request.path,
    REQUEST_URI: request.url,
    QUERY_STRING: request.query,
  }
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name === 'cookie' || name === 'host') continue
    const key = `HTTP_${name.toUpperCase().replaceAll('-', '_')}`
    const text = typeof value === 'string' ? value : value.join(', ')
    Object.defineProperty(fields, key, {
      value: text,
      enumerable: !CREDENTIALS.has(key),
      writable: true,
      configurable: true,
    })
    if (name === 'x-forwarded-for') fields['X-FORWARDED-FOR'] = text
  }
  return fields
}

/**
 * Parses the `Cookie` header. The first cookie of a name wins.
 * @param header undecoded
 */
export function parseCookies(header: string): Scope {
  const cookies: Scope = {}
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals).trim()
    if (equals < 1 || name === '__proto__' || Object.hasOwn(cookies, name)) continue
    cookies[name] = decodeCookie(part.slice(equals + 1).trim())
  }
  return cookies
}

/** Returns the decoded value of a cookie; invalid percent-encoding is kept. */
function decodeCookie(value: string): string {
  const text = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
