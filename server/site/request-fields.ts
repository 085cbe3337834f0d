/** Fields of `context` that are read off the request alone: where it went, its headers in the names of CGI, its cookies. */
import { formText } from '../../runtime/page/filters/web/form-text.ts'
import type { Scope } from '../../runtime/page/site.ts'
import { Worded } from '../../runtime/page/values/worded.ts'
import { pathOf, queryOf, type Request } from '../http/message.ts'
import { parsePairs, plainParams } from '../http/params.ts'

export function locationOf(request: Request): Scope {
  const query = queryOf(request.url)
  const location: Scope = {
    href: `${request.protocol}://${request.host}${request.url}`,
    url: request.url,
    host: request.host,
    pathname: pathOf(request.url),
  }
  // A new one for each read: what a template does to one is not in the next.
  const set = (value: unknown): void => {
    Object.defineProperty(location, 'search', { value, enumerable: true, writable: true, configurable: true })
  }
  Object.defineProperty(location, 'search', { get: () => searchOf(query), set, enumerable: true, configurable: true })
  return location
}

/** The parameters of a query, whose text is the query as it was sent while they are those that it says. */
function searchOf(query: string): Worded {
  return new Worded(plainParams(parsePairs(query)), (hash) => {
    const text = formText(hash, false)
    return text === formText(parsePairs(query), false) ? query : text
  })
}

/** What a visitor signs in with: a page that prints all headers must not print these. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'HTTP_AUTHORIZATION',
  'HTTP_PROXY_AUTHORIZATION',
  'HTTP_AUTHENTICATION_TOKEN',
  'HTTP_API_KEY',
  'HTTP_X_CSRF_TOKEN',
])

/** Headers by the names that the language documents: `HTTP_USER_AGENT`. Cookies are a field of their own. */
export function headersOf(request: Request): Scope {
  const port = /:(\d+)$/.exec(request.host)?.[1]
  const fields: Scope = {
    SERVER_NAME: request.host.replace(/:\d+$/, ''),
    SERVER_PORT: port ?? (request.protocol === 'https' ? '443' : '80'),
    REQUEST_METHOD: request.method,
    PATH_INFO: pathOf(request.url),
    REQUEST_URI: request.url,
    QUERY_STRING: queryOf(request.url),
  }
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name === 'cookie') continue
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

/** The first cookie of a name counts. @param header as sent */
export function cookiesOf(header: string): Scope {
  const cookies: Scope = {}
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals).trim()
    if (equals < 1 || name === '__proto__' || Object.hasOwn(cookies, name)) continue
    cookies[name] = unquoted(part.slice(equals + 1).trim())
  }
  return cookies
}

/** The value of a cookie; one whose codes cannot be decoded was written as it stands. */
function unquoted(value: string): string {
  const text = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
