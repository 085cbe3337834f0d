/** The type of `context`, the object that every template of the platform can read. */
import { ABSENT_IN_BACKGROUND, type BackgroundKind } from '../../../runtime/page/background-context.ts'
import { derived } from '../../core/model/derived.ts'
import type { PageSettings, RouteSegment, SettingTree } from '../../core/model/settings.ts'
import { BOOLEAN, FLOAT, INTEGER, NEVER, NIL, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'
import { join } from './relate.ts'
import { typeKey } from './type-key.ts'
import { keysOf } from '../../core/source/records.ts'

/** The fields of `context` that emitted code reads with their types. */
export { CONTEXT_PARTS, type PartKind, type PartKinds } from '../../../runtime/page/request-context.ts'

const TEXT_OR_NIL = join(STRING, NIL)

function record(fields: Readonly<Record<string, Type>>, open = false): Type {
  return { kind: 'record', fields: new Map(Object.entries(fields)), open, origin: null }
}

function hashOf(element: Type): Type {
  return { kind: 'hash', element }
}

/** Without a JSON body, all values of a request are texts, or hashes and arrays of texts. */
export const QUERY_VALUE = join(join(TEXT_OR_NIL, hashOf(UNKNOWN)), { kind: 'list', element: UNKNOWN })

/** The query parameters. They can also be used as text. */
const SEARCH = join(STRING, hashOf(QUERY_VALUE))
const LOCATION = record({ href: STRING, url: STRING, host: STRING, pathname: STRING, search: SEARCH })
const DEVICE = record({
  bot: BOOLEAN,
  bot_name: TEXT_OR_NIL,
  device_brand: TEXT_OR_NIL,
  device_name: TEXT_OR_NIL,
  device_type: TEXT_OR_NIL,
  full_version: TEXT_OR_NIL,
  known: BOOLEAN,
  name: TEXT_OR_NIL,
  os_name: TEXT_OR_NIL,
  os_full_version: TEXT_OR_NIL,
})
const MODULE = record({
  name: STRING,
  scope_name: STRING,
  version: TEXT_OR_NIL,
  version_info: join(record({ version_name: STRING }), NIL),
  subscription_info: NIL,
})
const USER = record(
  {
    id: STRING,
    email: STRING,
    name: TEXT_OR_NIL,
    first_name: TEXT_OR_NIL,
    last_name: TEXT_OR_NIL,
    slug: STRING,
    external_id: TEXT_OR_NIL,
    language: TEXT_OR_NIL,
  },
  true,
)

/** The fields that every user has. */
export const USER_FIELDS: readonly string[] = USER.kind === 'record' ? [...USER.fields.keys()] : []

/** The fields that the host stores in every session. Tags write all other fields. */
const SESSION: Readonly<Record<string, Type>> = {
  language: TEXT_OR_NIL,
  session_id: TEXT_OR_NIL,
  _csrf_token: TEXT_OR_NIL,
}

/** The metadata in front matter have the keys of each file. */
function pageFields(metadata: Type, layout: Type): Type {
  return record({ id: STRING, slug: STRING, layout, layout_name: layout, metadata, enable_profiler: BOOLEAN }, true)
}

export interface ContextField {
  readonly type: Type
  /** The description for the reference. */
  readonly description: string
  /** Whether the field is left out when `context` is printed or logged. It can still be read by name. */
  readonly secret?: true
}

const BACKGROUND_KINDS = keysOf(ABSENT_IN_BACKGROUND)

/** Returns the kinds of jobs in which a field of `context` (`params`, `location.href`) is nil or empty. */
export function absentKinds(part: string): readonly BackgroundKind[] {
  const [field = part] = part.split('.', 1)
  return BACKGROUND_KINDS.filter(
    (where) => ABSENT_IN_BACKGROUND[where].includes(part) || ABSENT_IN_BACKGROUND[where].includes(field),
  )
}

const ABSENT_PARTS: ReadonlySet<string> = new Set(Object.values(ABSENT_IN_BACKGROUND).flat())

/** Returns the field of `context` that a read needs, if it is not available everywhere; otherwise null. */
export function absentPart(field: string, inner: string | null): string | null {
  if (inner !== null && ABSENT_PARTS.has(`${field}.${inner}`)) return `${field}.${inner}`
  return ABSENT_PARTS.has(field) ? field : null
}

/** The fields of `context`, in the order of the reference. */
export const CONTEXT_FIELDS: Readonly<Record<string, ContextField>> = {
  params: {
    type: hashOf(UNKNOWN),
    description:
      'The parameters of the request: from the route, the query, and a form or JSON body. Route parameters take precedence, then the body. All values are texts, except in a JSON body. `a[b]=1` becomes a hash, and `a[]=1` an array. Pass them to jobs as arguments.',
  },
  current_user: {
    type: join(USER, NIL),
    description:
      'The signed-in user. It is nil if no one is signed in, and for a request that changes data without a valid CSRF token.',
  },
  session: {
    type: record(SESSION, true),
    description:
      'The fields that the `session` tag set for this visitor. `session_id` identifies the session until the visitor signs in or out. `session_id` and `_csrf_token` are left out when the whole session is printed.',
  },
  flash: {
    type: record({ alert: TEXT_OR_NIL, notice: TEXT_OR_NIL }, true),
    description: 'Messages from a form or a policy for this request.',
  },
  exports: { type: record({}, true), description: 'The values of the `export` tags in this request, by namespace.' },
  page: {
    type: join(pageFields(UNKNOWN, TEXT_OR_NIL), NIL),
    description: 'The current page, with the `metadata` of its front matter.',
  },
  layout: {
    type: join(record({ metadata: UNKNOWN }, true), NIL),
    description: 'The layout of the page, with the `metadata` of its front matter.',
  },
  location: {
    type: join(LOCATION, NIL),
    description:
      'The URL of the request: `href` is the full URL, and `url` its path and query. `search` is a hash of the query parameters. When it is printed, compared with a text or passed to a text filter, it is the query text. Jobs only have `host`.',
  },
  headers: {
    type: hashOf(TEXT_OR_NIL),
    description:
      'The request headers by their CGI names, such as `HTTP_USER_AGENT`, and `REQUEST_METHOD`, `PATH_INFO`, `QUERY_STRING`, `SERVER_NAME`, `SERVER_PORT`, `REQUEST_URI`. Headers with credentials are left out when all headers are printed.',
  },
  cookies: { type: hashOf(TEXT_OR_NIL), description: 'The cookies of the request, by name.', secret: true },
  constants: {
    type: hashOf(TEXT_OR_NIL),
    description:
      'Secrets that an administrator sets. A constant of a module is `context.constants["modules/name/KEY"]`. Pass them to jobs as arguments.',
    secret: true,
  },
  environment: { type: STRING, description: '`development`, `staging` or `production`.' },
  language: {
    type: STRING,
    description:
      'The locale of the request: from `?language=`, the session, the preferences of the browser or user, or `en`, in this order. The `context` tag changes it.',
  },
  authenticity_token: {
    type: TEXT_OR_NIL,
    description:
      'The CSRF token of this visitor. Forms send it as `authenticity_token`, and scripts send it in the header `X-CSRF-Token`.',
    secret: true,
  },
  csrf_request_valid: {
    type: join(BOOLEAN, NIL),
    description: 'Whether the request has a valid CSRF token or does not need one.',
  },
  is_xhr: {
    type: join(BOOLEAN, NIL),
    description: 'True if the header `X-Requested-With` is `XMLHttpRequest`; otherwise nil.',
  },
  post_params: {
    type: TEXT_OR_NIL,
    description: 'The raw body of the request, for example to verify webhook signatures.',
  },
  useragent: { type: TEXT_OR_NIL, description: 'The header `User-Agent`.' },
  device: {
    type: join(DEVICE, NIL),
    description:
      'The device, derived from the header `User-Agent`. `device_type` is `desktop`, `smartphone`, `tablet`, `console`, `portable media player`, `tv`, `car browser` or `camera`.',
  },
  visitor: {
    type: join(record({ ip: STRING }, true), NIL),
    description: 'The IP address of the visitor, as reported by the proxies that the server trusts.',
  },
  instance: {
    type: join(record({ id: INTEGER, uuid: STRING, name: STRING }, true), NIL),
    description: 'The site itself.',
  },
  version: { type: TEXT_OR_NIL, description: 'The version of this software, for use in cache keys.' },
  hcaptcha_site_key: { type: TEXT_OR_NIL, description: 'The public key of the challenge provider.' },
  globals: {
    type: join(
      record(
        { time_zones: record({ all: STRING, us_zones: STRING }), asset_url: join(hashOf(TEXT_OR_NIL), NIL) },
        true,
      ),
      NIL,
    ),
    description:
      '`time_zones`: the names of all time zones, and of those in the United States, as JSON texts. `asset_url`: the URLs of all assets by path. Pages and layouts also have it as the variable `asset_url`.',
  },
  modules: {
    type: hashOf(MODULE),
    description: 'The modules of the site, by name.',
  },
}

const FIELDS: Readonly<Record<string, Type>> = Object.fromEntries(
  Object.entries(CONTEXT_FIELDS).map(([name, { type }]) => [name, type]),
)

// No tag adds more keys, so any other key is nil.
const PLAIN_CONTEXT = record(FIELDS)

/**
 * Returns the type of `context`. For a page, `params` has the parameters of its route. `exports` and `session` have the fields that
 * tags of the site write, if known.
 */
export function contextType(
  page: PageSettings | null,
  shared: { readonly exports: Type; readonly session: Type } | null,
): Type {
  if (page === null && shared === null) return PLAIN_CONTEXT
  const cachedContexts = contextsWith(shared ?? FIELDS)
  const pageFieldTypes = page === null ? NO_PAGE : pageContext(page)
  let context = cachedContexts.get(pageFieldTypes)
  if (context === undefined) {
    const tagFieldTypes = shared === null ? {} : { exports: shared.exports, session: withHostFields(shared.session) }
    context = record({ ...FIELDS, ...tagFieldTypes, ...pageFieldTypes })
    if (cachedContexts.size >= MAX_CONTEXTS) cachedContexts.clear()
    cachedContexts.set(pageFieldTypes, context)
  }
  return context
}

/** Cached, because many pages of a site have routes and metadata with the same types. */
const contextsWith = derived((_shared: object) => new Map<PageContext, Type>())
const MAX_CONTEXTS = 5_000

type PageContext = Readonly<Record<string, Type>>

const NO_PAGE: PageContext = {}

const pageContexts = new Map<string, PageContext>()

/** Returns the fields that the file of a page always has. */
const pageContext = derived((settings: PageSettings): PageContext => {
  const [params, page] = [paramsType(settings), pageFields(metadataType(settings.metadata), TEXT_OR_NIL)]
  // Equal results are shared.
  const key = `${typeKey(params)} ${typeKey(page)}`
  let context = pageContexts.get(key)
  if (context === undefined) {
    context = { params, location: LOCATION, device: DEVICE, visitor: record({ ip: STRING }, true), page }
    if (pageContexts.size >= MAX_CONTEXTS) pageContexts.clear()
    pageContexts.set(key, context)
  }
  return context
})

/** Any key can be read. Keys that the page does not have are nil. */
function metadataType(tree: SettingTree): Type {
  switch (tree.kind) {
    case 'plain':
      if (tree.value === null) return UNKNOWN
      if (typeof tree.value === 'string') return STRING
      if (typeof tree.value === 'boolean') return BOOLEAN
      return tree.float ? FLOAT : INTEGER
    case 'liquid':
      return STRING
    case 'list':
      return { kind: 'list', element: tree.items.map(metadataType).reduce<Type>(join, NEVER) }
    case 'map':
      return record(Object.fromEntries([...tree.entries].map(([key, value]) => [key, metadataType(value)])), true)
  }
}

/** Adds the fields that the host writes. Tags may write the same ones. */
function withHostFields(session: Type): Type {
  if (session.kind !== 'record') return session
  const fields = new Map(session.fields)
  for (const [name, type] of Object.entries(SESSION)) fields.set(name, join(fields.get(name) ?? NIL, type))
  return { ...session, fields }
}

function paramsType(page: PageSettings): Type {
  const fields = new Map<string, Type>()
  addRouteParams(page.route.segments, false, fields)
  if (page.method !== 'get') return { kind: 'record', fields, open: true, origin: null }
  // A GET request has no body, so all values are texts.
  return fields.size === 0 ? hashOf(QUERY_VALUE) : { kind: 'record', fields, open: true, origin: null }
}

function addRouteParams(segments: readonly RouteSegment[], optional: boolean, fields: Map<string, Type>): void {
  for (const segment of segments) {
    if (segment.kind === 'optional') addRouteParams(segment.segments, true, fields)
    else if (segment.kind !== 'static') fields.set(segment.name, optional ? TEXT_OR_NIL : STRING)
  }
}
