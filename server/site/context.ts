/** What templates see as `context` in a request: a plain hash whose costly fields are computed when they are read. */
import type { Render } from '../../runtime/render.ts'
import type { CompiledSite, LayoutEntry, PageEntry, Scope } from '../../runtime/site.ts'
import { byPreference } from '../http/formats.ts'
import { headerOf, pathOf, queryOf, type Request } from '../http/message.ts'
import { type Params, plainParams, textOf } from '../http/params.ts'
import type { Environment } from '../settings.ts'
import { deviceOf } from './device.ts'
import type { Session } from './session.ts'
import { settingValue } from './setting.ts'

/** What a host knows of itself; the same for every request. */
export interface HostFacts {
  readonly environment: Environment
  /** Version of this software. */
  readonly version: string
  /** Name of the site: its folder's. */
  readonly siteName: string
  /** Constants by name; another object after each change. */
  readonly constants: () => Readonly<Record<string, string>>
}

export interface ContextSource {
  readonly site: CompiledSite
  readonly host: HostFacts
  readonly request: Request
  readonly params: Params
  /** Null where nothing is remembered of visitors. */
  readonly session: Session | null
  /** Null outside of pages: for the Liquid of a form that was sent. */
  readonly page: PageEntry | null
  /** The render that will use this context. */
  readonly render: () => Render
}

/** Builds the context of one request. Secret fields (constants, cookies, tokens) answer by name but are not enumerable. */
export function createContext(source: ContextSource): Scope {
  const { site, host, request, params, session } = source
  const get = request.method === 'GET' || request.method === 'HEAD'
  const context: Scope = {
    params: plainParams(params),
    post_params: request.body === null ? '' : textOf(request.body),
    exports: {},
    language: languageOf(site, params, request, session),
    environment: host.environment,
    csrf_request_valid: session?.csrfValid ?? get,
    is_xhr: headerOf(request, 'x-requested-with').toLowerCase() === 'xmlhttprequest' ? true : null,
    useragent: headerOf(request, 'user-agent'),
    visitor: { ip: request.ip },
    instance: { id: 1, uuid: null, name: host.siteName },
    version: host.version,
    hcaptcha_site_key: host.constants()['HCAPTCHA_SITE_KEY'] ?? null,
  }
  ;(context as { [SOURCE]?: ContextSource })[SOURCE] = source
  return Object.defineProperties(context, LAZY)
}

/** Where a context keeps what its lazy fields are computed from; templates know no symbols. */
const SOURCE = Symbol('source')

const COMPUTED: Readonly<Record<string, (source: ContextSource) => unknown>> = {
  page: ({ page, render }) => (page === null ? null : pageOf(page, render)),
  layout({ page, site, render }) {
    const layout = page === null || page.layout === null ? undefined : site.layouts[page.layout]
    return layout === undefined ? null : layoutOf(layout, render)
  },
  location: ({ request }) => locationOf(request),
  headers: ({ request }) => headersOf(request),
  device: ({ request }) => deviceOf(headerOf(request, 'user-agent')),
  globals: () => ({ time_zones: timeZones() }),
  modules: ({ site }) => modulesOf(site),
}

/** Printing or logging the whole context must not spill these. */
const SECRET: typeof COMPUTED = {
  cookies: ({ request }) => cookiesOf(headerOf(request, 'cookie')),
}

/** What a tag changes while the page runs is there in its next line, so these are looked up whenever they are read. */
const LIVE: typeof COMPUTED = {
  current_user: ({ session }) => session?.user ?? null,
  session: ({ session }) => session?.values ?? {},
  flash: ({ session }) => session?.flash ?? {},
}
const LIVE_SECRET: typeof COMPUTED = {
  authenticity_token: ({ session }) => session?.csrfToken() ?? '',
  constants: (source) => copied(source as ContextSource & Holder, source.host.constants()),
}

/** The same functions for every request, so that the engine knows all contexts by one form. */
const LAZY: PropertyDescriptorMap = {
  ...Object.fromEntries(Object.entries(COMPUTED).map(([key, compute]) => [key, computed(key, compute, true)])),
  ...Object.fromEntries(Object.entries(SECRET).map(([key, compute]) => [key, computed(key, compute, false)])),
  ...Object.fromEntries(Object.entries(LIVE).map(([key, read]) => [key, live(read, true)])),
  ...Object.fromEntries(Object.entries(LIVE_SECRET).map(([key, read]) => [key, live(read, false)])),
}

function live(read: (source: ContextSource) => unknown, enumerable: boolean): PropertyDescriptor {
  const get = function (this: { [SOURCE]: ContextSource }): unknown {
    return read(this[SOURCE])
  }
  return { get, set: () => undefined, enumerable, configurable: true }
}

function computed(key: string, compute: (source: ContextSource) => unknown, enumerable: boolean): PropertyDescriptor {
  const set = function (this: object, value: unknown): void {
    Object.defineProperty(this, key, { value, enumerable, writable: true, configurable: true })
  }
  const get = function (this: { [SOURCE]: ContextSource }): unknown {
    const value = compute(this[SOURCE])
    set.call(this, value)
    return value
  }
  return { get, set, enumerable, configurable: true }
}

function lazy(holder: object, key: string, compute: () => unknown, enumerable = true): void {
  const set = (value: unknown): void => {
    Object.defineProperty(holder, key, { value, enumerable, writable: true, configurable: true })
  }
  const get = (): unknown => {
    const value = compute()
    set(value)
    return value
  }
  Object.defineProperty(holder, key, { get, set, enumerable, configurable: true })
}

/** Where a context keeps its copy of the constants, and of which ones it is. */
const COPY = Symbol('constants')

interface Holder {
  [COPY]?: { readonly of: Readonly<Record<string, string>>; readonly copy: Scope }
}

/** A template that writes to its constants changes its own request only. */
function copied(holder: Holder, constants: Readonly<Record<string, string>>): Scope {
  if (holder[COPY]?.of !== constants) holder[COPY] = { of: constants, copy: { ...constants } }
  return holder[COPY].copy
}

/** Context of what renders outside of any request: metadata that `admin_*` queries show. */
export function createBareContext(site: CompiledSite, host: HostFacts): Scope {
  const context: Scope = {
    params: {},
    current_user: null,
    language: 'en',
    environment: host.environment,
    instance: { id: 1, uuid: null, name: host.siteName },
    version: host.version,
    exports: {},
    modules: null,
  }
  lazy(context, 'modules', () => modulesOf(site))
  Object.defineProperty(context, 'constants', {
    get: () => copied(context as Holder, host.constants()),
    configurable: true,
  })
  return context
}

function pageOf(page: PageEntry, render: () => Render): Scope {
  const fields: Scope = {
    id: page.name,
    slug: page.slug,
    layout: page.layout,
    layout_name: page.layout,
    enable_profiler: false,
    metadata: null,
  }
  lazy(fields, 'metadata', () => settingValue(page.metadata, render))
  return fields
}

function layoutOf(layout: LayoutEntry, render: () => Render): Scope {
  const fields: Scope = { metadata: null }
  lazy(fields, 'metadata', () => settingValue(layout.metadata, render))
  return fields
}

function locationOf(request: Request): Scope {
  const query = queryOf(request.url)
  return {
    href: `${request.protocol}://${request.host}${request.url}`,
    url: request.url,
    host: request.host,
    pathname: pathOf(request.url),
    search: query === '' ? '' : `?${query}`,
  }
}

const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i

/**
 * `?language=` wins, then the session's, then the first language of `Accept-Language` that the site has translations for, or
 * without one there the user's own, then `en`.
 */
export function languageOf(
  site: CompiledSite,
  params: Params,
  request: Pick<Request, 'headers'>,
  session: Session | null,
): string {
  const asked = params.language
  if (typeof asked === 'string' && LANGUAGE.test(asked)) return asked
  const kept = session?.values['language']
  if (typeof kept === 'string' && LANGUAGE.test(kept)) return kept
  const accepted = headerOf(request, 'accept-language')
  if (accepted === '' || accepted === '*') return session?.user?.language || 'en'
  const locales = Object.keys(site.translations)
  for (const name of byPreference(accepted)) {
    if (name === '*') break
    const wanted = name.replaceAll('_', '-')
    const locale =
      locales.find((known) => known.toLowerCase().replaceAll('_', '-') === wanted) ??
      locales.find((known) => known.toLowerCase() === wanted.split('-')[0])
    if (locale !== undefined) return locale
  }
  return 'en'
}

/** Keeps the language that a visitor asks for by `?language=`, where the site has it and would choose another. */
export function keepLanguage(site: CompiledSite, params: Params, request: Request, session: Session): void {
  const asked = params.language
  if (typeof asked !== 'string' || !Object.hasOwn(site.translations, asked)) return
  if (languageOf(site, {}, request, session) !== asked) session.set('language', asked)
}

// Names of CGI, as the language documents them: `HTTP_USER_AGENT`.
function headersOf(request: Request): Scope {
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
    // A page that prints all headers must not print what the visitor signs in with.
    Object.defineProperty(fields, key, {
      value: text,
      enumerable: key !== 'HTTP_AUTHORIZATION',
      writable: true,
      configurable: true,
    })
    if (name === 'x-forwarded-for') fields['X-FORWARDED-FOR'] = text
  }
  return fields
}

function cookiesOf(header: string): Scope {
  const cookies: Scope = {}
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals).trim()
    if (equals < 1 || name === '__proto__' || Object.hasOwn(cookies, name)) continue
    const value = part.slice(equals + 1).trim()
    cookies[name] = unquoted(value)
  }
  return cookies
}

function unquoted(value: string): string {
  const text = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const US_ZONES = [
  'Pacific/Honolulu',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Phoenix',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'America/Indiana/Indianapolis',
]

function timeZones(): Scope {
  return { all: JSON.stringify(['UTC', ...Intl.supportedValuesOf('timeZone')]), us_zones: JSON.stringify(US_ZONES) }
}

function modulesOf(site: CompiledSite): Scope {
  const modules: Scope = {}
  const names = [...site.pages.map((page) => page.name), ...Object.keys(site.partials), ...Object.keys(site.layouts)]
  for (const name of names) {
    const module = /^modules\/([^/]+)\//.exec(name)?.[1]
    if (module === undefined || module === '__proto__' || Object.hasOwn(modules, module)) continue
    modules[module] = { name: module, scope_name: module, version: null, version_info: null, subscription_info: null }
  }
  return modules
}
