/** What `context` is, the one object that every template of the platform sees. */
import { ABSENT_IN_BACKGROUND, type BackgroundKind } from '../../../runtime/page/background-context.ts'
import { derived } from '../../core/model/derived.ts'
import type { PageSettings, RouteSegment, SettingTree } from '../../core/model/settings.ts'
import { BOOLEAN, FLOAT, INTEGER, NEVER, NIL, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'
import { join } from './relate.ts'
import { typeKey } from './type-key.ts'
import { keysOf } from '../../core/source/records.ts'

/** The parts of `context` that emitted code reads by their types. */
export { CONTEXT_PARTS, type PartKind, type PartKinds } from '../../../runtime/page/request-context.ts'

const TEXT_OR_NIL = join(STRING, NIL)

function record(fields: Readonly<Record<string, Type>>, open = false): Type {
  return { kind: 'record', fields: new Map(Object.entries(fields)), open, origin: null }
}

function hashOf(of: Type): Type {
  return { kind: 'hash', of }
}

/** Without a JSON body, whatever comes with a request is text, or texts in hashes and arrays. */
export const QUERY_VALUE = join(join(TEXT_OR_NIL, hashOf(UNKNOWN)), { kind: 'list', of: UNKNOWN })

/** The parameters of the query, which are its text as well. */
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

/** What the host itself keeps in every session; the others are what tags write. */
const SESSION: Readonly<Record<string, Type>> = {
  language: TEXT_OR_NIL,
  session_id: TEXT_OR_NIL,
  _csrf_token: TEXT_OR_NIL,
}

/** The metadata of front matter have the keys that each file gives them. */
function pageFields(metadata: Type, layout: Type): Type {
  return record({ id: STRING, slug: STRING, layout, layout_name: layout, metadata, enable_profiler: BOOLEAN }, true)
}

export interface ContextField {
  readonly type: Type
  /** What it is, for the reference. */
  readonly says: string
  /** Answers by its name, and is left out where `context` is printed or logged. */
  readonly secret?: true
}

const BACKGROUND_KINDS = keysOf(ABSENT_IN_BACKGROUND)

/** Where a part of `context` (`params`, `location.href`) is nil or empty. */
export function absentIn(part: string): readonly BackgroundKind[] {
  const [field = part] = part.split('.', 1)
  return BACKGROUND_KINDS.filter(
    (where) => ABSENT_IN_BACKGROUND[where].includes(part) || ABSENT_IN_BACKGROUND[where].includes(field),
  )
}

const ABSENT_PARTS: ReadonlySet<string> = new Set(Object.values(ABSENT_IN_BACKGROUND).flat())

/** The part of `context` that a read of a field needs, where that is not everywhere; null for what is. */
export function absentPart(field: string, inner: string | null): string | null {
  if (inner !== null && ABSENT_PARTS.has(`${field}.${inner}`)) return `${field}.${inner}`
  return ABSENT_PARTS.has(field) ? field : null
}

/** The fields of `context`, in the order of the reference. */
export const CONTEXT_FIELDS: Readonly<Record<string, ContextField>> = {
  params: {
    type: hashOf(UNKNOWN),
    says: 'What the request brings: parameters of the route, the query, and a form or JSON body. Those of the route win, then the body. All are text unless the body was JSON; `a[b]=1` gives a hash, `a[]=1` an array. A job gets those that it needs as arguments.',
  },
  current_user: {
    type: join(USER, NIL),
    says: 'Who is signed in; nil for nobody, and for a request that changes something without a valid CSRF token.',
  },
  session: {
    type: record(SESSION, true),
    says: 'What the `session` tag wrote, for this visitor. `session_id` is a name of the session, stable until the visitor signs in or out; it and `_csrf_token` are not printed with the rest.',
  },
  flash: {
    type: record({ alert: TEXT_OR_NIL, notice: TEXT_OR_NIL }, true),
    says: 'Messages that a form or a policy left for this request.',
  },
  exports: { type: record({}, true), says: 'What `export` tags of this request wrote, by namespace.' },
  page: {
    type: join(pageFields(UNKNOWN, TEXT_OR_NIL), NIL),
    says: 'The page that answers, with the `metadata` of its front matter.',
  },
  layout: {
    type: join(record({ metadata: UNKNOWN }, true), NIL),
    says: 'The layout of the page, with the `metadata` of its front matter.',
  },
  location: {
    type: join(LOCATION, NIL),
    says: "Where the request went: `href` is the whole address, `url` its path and query. `search` is a hash of the query's parameters, and its text where it is printed, compared with a text or given to a text filter. In jobs there is `host` alone.",
  },
  headers: {
    type: hashOf(TEXT_OR_NIL),
    says: 'Headers of the request by their names in CGI: `HTTP_USER_AGENT`; and `REQUEST_METHOD`, `PATH_INFO`, `QUERY_STRING`, `SERVER_NAME`, `SERVER_PORT`, `REQUEST_URI`. Those that a visitor signs in with are not printed with the rest.',
  },
  cookies: { type: hashOf(TEXT_OR_NIL), says: 'Cookies of the request by name.', secret: true },
  constants: {
    type: hashOf(TEXT_OR_NIL),
    says: 'Secrets that an administrator sets. One of a module is `context.constants["modules/name/KEY"]`. A job gets those that it needs as arguments.',
    secret: true,
  },
  environment: { type: STRING, says: '`development`, `staging` or `production`.' },
  language: {
    type: STRING,
    says: 'The locale of the request: `?language=`, else what the session keeps, else what the browser or the user prefers, else `en`. The `context` tag sets it.',
  },
  authenticity_token: {
    type: TEXT_OR_NIL,
    says: 'The CSRF token of this visitor: forms send it as `authenticity_token`, scripts as the header `X-CSRF-Token`.',
    secret: true,
  },
  csrf_request_valid: {
    type: join(BOOLEAN, NIL),
    says: 'Whether the request carries a valid CSRF token, or needs none.',
  },
  is_xhr: {
    type: join(BOOLEAN, NIL),
    says: 'True where the header `X-Requested-With` is `XMLHttpRequest`, else nil.',
  },
  post_params: {
    type: TEXT_OR_NIL,
    says: 'The body of the request as it came: to check signatures of webhooks.',
  },
  useragent: { type: TEXT_OR_NIL, says: 'The header `User-Agent`.' },
  device: {
    type: join(DEVICE, NIL),
    says: 'What the header `User-Agent` gives away. `device_type` is `desktop`, `smartphone`, `tablet`, `console`, `portable media player`, `tv`, `car browser` or `camera`.',
  },
  visitor: {
    type: join(record({ ip: STRING }, true), NIL),
    says: 'The address of the visitor, behind the proxies that the server is told of.',
  },
  instance: { type: join(record({ id: INTEGER, uuid: STRING, name: STRING }, true), NIL), says: 'The site itself.' },
  version: { type: TEXT_OR_NIL, says: 'Version of this software: a part of cache keys.' },
  hcaptcha_site_key: { type: TEXT_OR_NIL, says: 'The public key of the challenge provider.' },
  globals: {
    type: join(
      record(
        { time_zones: record({ all: STRING, us_zones: STRING }), asset_url: join(hashOf(TEXT_OR_NIL), NIL) },
        true,
      ),
      NIL,
    ),
    says: '`time_zones`: the names of all time zones, and of those of the United States, as JSON texts. `asset_url`: the addresses of all assets by their paths, which pages and layouts have as the variable `asset_url`, too.',
  },
  modules: {
    type: hashOf(MODULE),
    says: 'The modules of the site by name.',
  },
}

const FIELDS: Readonly<Record<string, Type>> = Object.fromEntries(
  Object.entries(CONTEXT_FIELDS).map(([name, { type }]) => [name, type]),
)

// No tag writes a further key: any other one is nil.
const PLAIN_CONTEXT = record(FIELDS)

/**
 * The type of `context`. A page knows what its route puts into `params`; `exports` and `session` are what the site's tags
 * write, by name, where that is known.
 */
export function contextType(
  page: PageSettings | null,
  shared: { readonly exports: Type; readonly session: Type } | null,
): Type {
  if (page === null && shared === null) return PLAIN_CONTEXT
  const known = contextsWith(shared ?? FIELDS)
  const ofPage = page === null ? NO_PAGE : pageContext(page)
  let context = known.get(ofPage)
  if (context === undefined) {
    const ofTags = shared === null ? {} : { exports: shared.exports, session: withHostFields(shared.session) }
    context = record({ ...FIELDS, ...ofTags, ...ofPage })
    if (known.size >= MOST_CONTEXTS) known.clear()
    known.set(ofPage, context)
  }
  return context
}

/** `context` has many fields, and a site many pages whose routes and metadata are of the same types: they see one and the same. */
const contextsWith = derived((_shared: object) => new Map<PageContext, Type>())
const MOST_CONTEXTS = 5_000

type PageContext = Readonly<Record<string, Type>>

const NO_PAGE: PageContext = {}

const pageContexts = new Map<string, PageContext>()

/** Fields that the file of a page always has. */
const pageContext = derived((settings: PageSettings): PageContext => {
  const [params, page] = [paramsOf(settings), pageFields(metadataType(settings.metadata), TEXT_OR_NIL)]
  // Equal ones are one.
  const key = `${typeKey(params)} ${typeKey(page)}`
  let context = pageContexts.get(key)
  if (context === undefined) {
    context = { params, location: LOCATION, device: DEVICE, visitor: record({ ip: STRING }, true), page }
    if (pageContexts.size >= MOST_CONTEXTS) pageContexts.clear()
    pageContexts.set(key, context)
  }
  return context
})

/** Any key may be read: those that the page does not have are nil. */
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
      return { kind: 'list', of: tree.items.map(metadataType).reduce<Type>(join, NEVER) }
    case 'map':
      return record(Object.fromEntries([...tree.entries].map(([key, value]) => [key, metadataType(value)])), true)
  }
}

/** Adds the fields that the host writes; a tag may write the same. */
function withHostFields(session: Type): Type {
  if (session.kind !== 'record') return session
  const fields = new Map(session.fields)
  for (const [name, type] of Object.entries(SESSION)) fields.set(name, join(fields.get(name) ?? NIL, type))
  return { ...session, fields }
}

function paramsOf(page: PageSettings): Type {
  const fields = new Map<string, Type>()
  addRouteParams(page.route.segments, false, fields)
  if (page.method !== 'get') return { kind: 'record', fields, open: true, origin: null }
  // A GET request has no body, so that nothing but texts can come.
  return fields.size === 0 ? hashOf(QUERY_VALUE) : { kind: 'record', fields, open: true, origin: null }
}

function addRouteParams(segments: readonly RouteSegment[], optional: boolean, fields: Map<string, Type>): void {
  for (const segment of segments) {
    if (segment.kind === 'optional') addRouteParams(segment.segments, true, fields)
    else if (segment.kind !== 'static') fields.set(segment.name, optional ? TEXT_OR_NIL : STRING)
  }
}
