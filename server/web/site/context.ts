/** The `context` of templates in a request: a plain hash whose expensive fields are computed on first read. */
import { createHash } from 'node:crypto'
import { translationsOf } from '../../../runtime/page/filters/translation/overrides.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { CompiledSite, LayoutEntry, PageEntry, Scope } from '../../../runtime/page/site.ts'
import {
  COMPLETE_CONTEXT,
  completeContext,
  REQUEST_MARK,
  type RequestContext,
} from '../../../runtime/page/request-context.ts'
import { makeHash } from '../../../runtime/page/values/hash.ts'
import { RENDER_ONLY_MARK } from '../../../runtime/page/values/render-only.ts'
import { byPreference } from '../http/formats.ts'
import { headerOf, type Request } from '../http/message.ts'
import { type Params, plainParams, decodeBody } from '../http/params.ts'
import type { Environment } from '../../core/settings.ts'
import { parseUserAgent } from './device.ts'
import { INSTANCE_ID } from './identity.ts'
import type { ModuleFacts } from './modules.ts'
import { parseCookies, headerFields, locationFields } from './request-fields.ts'
import { countReads, type RequestReads } from './request-reads.ts'
import type { CurrentUser, Session } from './session.ts'
import { settingValue } from './setting.ts'

/** Facts of the host, the same for every request. */
export interface HostFacts {
  readonly environment: Environment
  /** Version of this software. */
  readonly version: string
  /** Name of the site's folder. */
  readonly siteName: string
  /** Constants by name; a new object after each change. */
  readonly constants: () => Readonly<Record<string, string>>
  readonly modules: () => readonly ModuleFacts[]
}

/** Key of the source of the lazy fields. It is a symbol, because templates cannot name it. */
const SOURCE = Symbol('source')
/** Key of the copies of shared values, by their originals. */
const COPIES = Symbol('copies')

interface ContextSource extends CopyHolder {
  readonly site: CompiledSite
  readonly host: HostFacts
  readonly request: Request
  readonly params: Params
  /** Null without sessions. */
  readonly session: Session | null
  /** Null outside of pages, for the Liquid of a submitted form. */
  readonly page: PageEntry | null
  /** Counts reads of the visitor's request; absent when nothing is cached. */
  readonly reads?: RequestReads | undefined
  /**
   * Records whether the answer may differ for another request to the same URL. Absent when the answer is not cached.
   */
  readonly shared?: { varies?: boolean; readsHost?: boolean }
  /** Returns the render that uses this context. */
  readonly render: () => Render
}

/**
 * Creates the context of a request. Secret fields (constants, cookies, tokens) can be read by name but are not
 * enumerable.
 */
export function createContext(source: ContextSource): Scope {
  const context = new LeanContext(source)
  if (source.reads !== undefined) countReads(completeContext(context), source.reads)
  return context
}

/**
 * A context whose computed fields are inherited from the prototype. Defining them on each context takes longer than all
 * other work of a small page, and few templates use the hash as a whole.
 */
class LeanContext {
  readonly [field: string]: unknown
  readonly [SOURCE]: ContextSource
  readonly params: Params
  readonly exports: Scope = {}
  /** Language at the start of the request. Templates may set the session's language later. */
  readonly language: string

  constructor(source: ContextSource) {
    const { site, params, request, session } = source
    // Only multipart bodies contain files.
    this.params = request.parts ? plainParams(params) : params
    this.language = chooseLanguage(site, params, request, session)
    this[SOURCE] = source
  }
}

function isScripted(request: Request): boolean {
  const requestedWith = headerOf(request, 'x-requested-with')
  return requestedWith !== '' && requestedWith.toLowerCase() === 'xmlhttprequest'
}

/** Functions that compute fields on first read, with the types that emitted code expects. */
type ComputedFields = { readonly [Name in keyof RequestContext]?: (source: ContextSource) => RequestContext[Name] }

const COMPUTED: ComputedFields = {
  post_params: ({ request }) => (request.body === null ? '' : decodeBody(request.body)),
  environment: ({ host }) => host.environment,
  version: ({ host }) => host.version,
  page: ({ page, render }) => (page === null ? null : pageFields(page, render)),
  layout({ page, site, render }) {
    const layout = page === null || page.layout === null ? undefined : site.layouts[page.layout]
    return layout === undefined ? null : layoutFields(layout, render)
  },
  location(source) {
    recordHostRead(source)
    return locationFields(source.request)
  },
  instance: ({ host }) => instanceFields(host),
  globals: globalFields,
  modules: ({ host }) => moduleFields(host),
}

/** Computed fields that may differ for another request to the same URL. */
const VISITOR_FIELDS: ComputedFields = {
  csrf_request_valid: ({ session, request: { method } }) =>
    session?.csrfValid ?? (method === 'GET' || method === 'HEAD'),
  is_xhr: ({ request }) => (isScripted(request) ? true : null),
  useragent: ({ request }) => headerOf(request, 'user-agent'),
  visitor: ({ request }) => ({ ip: request.ip }),
  hcaptcha_site_key: ({ host }) => host.constants()['HCAPTCHA_SITE_KEY'] ?? null,
  headers(source) {
    recordHostRead(source)
    return headerFields(source.request)
  },
  device: ({ request }) => parseUserAgent(headerOf(request, 'user-agent')),
}

/** Not enumerable, so that printing or logging the context does not reveal them. */
const SECRET: ComputedFields = {
  cookies: ({ request }) => parseCookies(request.cookie),
}

/** Tags can change these while the page renders, so they are computed at each read. */
const RECOMPUTED: ComputedFields = {
  current_user(source) {
    const { session } = source
    session?.countRead()
    return session?.user ? copyShared(source, 'user', session.user) : null
  },
  session({ session, render }) {
    session?.countRead()
    const values = session === null ? {} : sessionFields(session)
    // The request's language, unless the session has another language.
    if (!Object.hasOwn(values, 'language')) defineHidden(values, 'language', () => render().context['language'])
    return values
  },
  flash: ({ session }) => session?.flash ?? {},
}
const RECOMPUTED_SECRET: ComputedFields = {
  authenticity_token: ({ session }) => session?.csrfToken() ?? '',
  constants: (source) => copyShared(source, 'constants', source.host.constants()),
}

/** Shared by all requests, so that all contexts have one hidden class. */
const LAZY: PropertyDescriptorMap = {
  ...RENDER_ONLY_MARK,
  ...REQUEST_MARK,
  ...Object.fromEntries(Object.entries(COMPUTED).map(([key, compute]) => [key, computedField(key, compute, true)])),
  ...Object.fromEntries(
    Object.entries(VISITOR_FIELDS).map(([key, compute]) => [key, computedField(key, recordingVaries(compute), true)]),
  ),
  ...Object.fromEntries(
    Object.entries(SECRET).map(([key, compute]) => [key, computedField(key, recordingVaries(compute), false)]),
  ),
  ...Object.fromEntries(Object.entries(RECOMPUTED).map(([key, read]) => [key, liveField(recordingVaries(read), true)])),
  ...Object.fromEntries(
    Object.entries(RECOMPUTED_SECRET).map(([key, read]) => [key, liveField(recordingVaries(read), false)]),
  ),
}

/** The order in which a context lists its fields. */
const FIELD_ORDER: readonly PropertyKey[] = [
  ...['params', 'post_params', 'exports', 'language', 'environment', 'csrf_request_valid', 'is_xhr', 'useragent'],
  ...['visitor', 'version', 'hcaptcha_site_key', 'page', 'layout', 'location', 'headers', 'device', 'instance'],
]
const ALL_FIELDS: ReadonlySet<PropertyKey> = new Set([...FIELD_ORDER, ...Reflect.ownKeys(LAZY)])

Object.defineProperties(LeanContext.prototype, {
  ...LAZY,
  [COMPLETE_CONTEXT]: {
    value(this: Record<PropertyKey, unknown> & { [SOURCE]: ContextSource }): object {
      varies(this[SOURCE])
      const descriptors: PropertyDescriptorMap = {}
      for (const name of ALL_FIELDS) {
        // Fields that were computed or changed meanwhile keep their value and their position.
        descriptors[name] = Object.getOwnPropertyDescriptor(this, name) ?? LAZY[name] ?? {}
        delete this[name]
      }
      Object.setPrototypeOf(this, Object.prototype)
      return Object.defineProperties(this, descriptors)
    },
  },
})

/** Wraps a function: records that the result may differ for another request to the same URL. */
function recordingVaries(read: (source: ContextSource) => unknown): (source: ContextSource) => unknown {
  return (source) => {
    varies(source)
    return read(source)
  }
}

/** Records that texts of the visit may contain its host. */
function recordHostRead({ shared }: ContextSource): void {
  if (shared !== undefined) shared.readsHost = true
}

function varies({ shared }: ContextSource): void {
  if (shared !== undefined) shared.varies = true
}

function liveField(read: (source: ContextSource) => unknown, enumerable: boolean): PropertyDescriptor {
  const get = function (this: { [SOURCE]: ContextSource }): unknown {
    return read(this[SOURCE])
  }
  return { get, set: () => undefined, enumerable, configurable: true }
}

function computedField(
  key: string,
  compute: (source: ContextSource) => unknown,
  enumerable: boolean,
): PropertyDescriptor {
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

function defineLazy(holder: object, key: string, compute: () => unknown, enumerable = true): void {
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

/** Shared values of which each request gets a copy, by name. */
interface Shared {
  readonly constants: Readonly<Record<string, string>>
  readonly user: CurrentUser
}

interface CopyHolder {
  [COPIES]?: { readonly [Name in keyof Shared]: WeakMap<Shared[Name], Shared[Name]> }
}

/** Returns a copy of a shared value, so that a template that writes to it affects only its own request. */
function copyShared<Name extends keyof Shared>(holder: CopyHolder, name: Name, value: Shared[Name]): Shared[Name] {
  const copies = (holder[COPIES] ??= { constants: new WeakMap(), user: new WeakMap() })[name]
  let copy = copies.get(value)
  if (copy === undefined) copies.set(value, (copy = { ...value }))
  return copy
}

/** Facts about the request that queued a job or other work outside of a request. */
export interface Origin {
  readonly language?: string
  /** Null when no user was signed in. */
  readonly user?: Session['user']
  /** Host with its port as the visitor sees it. */
  readonly host?: string
}

/**
 * Creates the context of renders outside of any request: jobs, mails, migrations, and the metadata of `admin_*` queries. It has
 * no page, layout, device, session, cookies or flash.
 */
export function createBareContext(host: HostFacts, origin: Origin = {}): Scope {
  const context: Scope = {
    params: {},
    current_user: origin.user ?? null,
    language: origin.language ?? 'en',
    environment: host.environment,
    version: host.version,
    hcaptcha_site_key: host.constants()['HCAPTCHA_SITE_KEY'] ?? null,
    exports: {},
  } satisfies RequestContext
  if (origin.host !== undefined) context['location'] = { host: origin.host }
  defineLazy(context, 'instance', () => instanceFields(host))
  defineLazy(context, 'globals', () => ({ time_zones: timeZones() }))
  defineLazy(context, 'modules', () => moduleFields(host))
  const copies: CopyHolder = {}
  Object.defineProperty(context, 'constants', {
    get: () => copyShared(copies, 'constants', host.constants()),
    configurable: true,
  })
  return Object.defineProperties(context, { ...RENDER_ONLY_MARK, ...REQUEST_MARK })
}

function pageFields(page: PageEntry, render: () => Render): Scope {
  const fields: Scope = {
    id: page.name,
    slug: page.slug,
    layout: page.layout,
    layout_name: page.layout,
    enable_profiler: false,
    metadata: null,
  }
  defineLazy(fields, 'metadata', () => settingValue(page.metadata, render))
  return fields
}

function layoutFields(layout: LayoutEntry, render: () => Render): Scope {
  const fields: Scope = { metadata: null }
  defineLazy(fields, 'metadata', () => settingValue(layout.metadata, render))
  return fields
}

/** Pattern of a locale. Locales without translations are also accepted. */
const LANGUAGE = /^[\w-]{1,50}$/

/**
 * Returns the language of a request: `?language=`, else the session's, else the first in `Accept-Language` that the site
 * has translations for, else the user's, else `en`.
 */
export function chooseLanguage(
  site: CompiledSite,
  params: Params,
  request: Pick<Request, 'acceptLanguage'>,
  session: Session | null,
): string {
  const requestedLanguage = params.language
  if (typeof requestedLanguage === 'string' && LANGUAGE.test(requestedLanguage)) return requestedLanguage
  const sessionLanguage = session?.values['language']
  if (typeof sessionLanguage === 'string' && LANGUAGE.test(sessionLanguage)) return sessionLanguage
  const accepted = request.acceptLanguage
  if (accepted === '' || accepted === '*') return session?.user?.language || 'en'
  const locales = Object.keys(translationsOf(site))
  for (const name of byPreference(accepted)) {
    if (name === '*') break
    const normalizedName = name.replaceAll('_', '-')
    const locale =
      locales.find((known) => known.toLowerCase().replaceAll('_', '-') === normalizedName) ??
      locales.find((known) => known.toLowerCase() === normalizedName.split('-')[0])
    if (locale !== undefined) return locale
  }
  return 'en'
}

/** Stores the language of `?language=` in the session when the site would otherwise choose another. */
export function keepLanguage(site: CompiledSite, params: Params, request: Request, session: Session): void {
  const requestedLanguage = params.language
  if (typeof requestedLanguage !== 'string' || !LANGUAGE.test(requestedLanguage)) return
  if (chooseLanguage(site, {}, request, session) !== requestedLanguage) session.set('language', requestedLanguage)
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
  // `supportedValuesOf` lists some time zones only by their older names.
  const zones = new Set(['UTC', ...[...Intl.supportedValuesOf('timeZone'), ...US_ZONES].sort()])
  return { all: JSON.stringify([...zones]), us_zones: JSON.stringify(US_ZONES) }
}

/** Returns a new object each time, so that a template that writes to it affects only its own request. */
function moduleFields(host: HostFacts): Scope {
  return makeHash(
    host.modules().map((each) => [
      each.scope_name,
      {
        ...each,
        version_info: each.version === null ? null : { version_name: each.version },
        subscription_info: null,
      },
    ]),
  )
}

/** Returns a UUID derived from the site's name, so that it is the same on every host. */
export function siteUuid(siteName: string): string {
  const hex = createHash('sha256').update(`ingot instance ${siteName}`).digest('hex')
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns `context.globals`. URLs of assets are not enumerable, because a site may have thousands of assets. */
function globalFields({ site, render }: ContextSource): { time_zones: ReturnType<typeof timeZones> } {
  const globals = { time_zones: timeZones() }
  defineHidden(globals, 'asset_url', () => {
    const { assets } = render().services
    return makeHash(Object.keys(site.assets).map((path) => [path, assets.url(path)] as const))
  })
  return globals
}

function instanceFields(host: HostFacts): Scope {
  return { id: INSTANCE_ID, uuid: siteUuid(host.siteName), name: host.siteName }
}

/** Returns the session fields. The server's own session fields can be read by name but are not printed. */
function sessionFields(session: Session): Scope {
  const { values } = session
  if (!Object.hasOwn(values, 'session_id')) defineHidden(values, 'session_id', () => session.id())
  if (!Object.hasOwn(values, '_csrf_token')) defineHidden(values, '_csrf_token', () => session.csrfToken())
  return values
}

/** Defines a field that is not enumerable. When a tag writes to the field, it becomes an ordinary field. */
function defineHidden(holder: Scope, key: string, get: () => unknown): void {
  const set = (value: unknown): void => {
    Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true })
  }
  Object.defineProperty(holder, key, { get, set, enumerable: false, configurable: true })
}
