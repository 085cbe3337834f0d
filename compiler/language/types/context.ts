/** The type of `context`, the object that every template of the platform can read. */
import { ABSENT_IN_BACKGROUND, type BackgroundKind } from '../../../runtime/page/background-context.ts'
import { derived } from '../../core/model/derived.ts'
import type { PageSettings, RouteSegment, SettingTree } from '../../core/model/settings.ts'
import { BOOLEAN, FLOAT, INTEGER, NEVER, NIL, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'
import type descriptions from './context.json'
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

/** The types of the fields of `context`, in the order of the reference. Their descriptions are in context.json. */
const FIELDS = {
  params: hashOf(UNKNOWN),
  current_user: join(USER, NIL),
  session: record(SESSION, true),
  flash: record({ alert: TEXT_OR_NIL, notice: TEXT_OR_NIL }, true),
  exports: record({}, true),
  page: join(pageFields(UNKNOWN, TEXT_OR_NIL), NIL),
  layout: join(record({ metadata: UNKNOWN }, true), NIL),
  location: join(LOCATION, NIL),
  headers: hashOf(TEXT_OR_NIL),
  cookies: hashOf(TEXT_OR_NIL),
  constants: hashOf(TEXT_OR_NIL),
  environment: STRING,
  language: STRING,
  authenticity_token: TEXT_OR_NIL,
  csrf_request_valid: join(BOOLEAN, NIL),
  is_xhr: join(BOOLEAN, NIL),
  post_params: TEXT_OR_NIL,
  useragent: TEXT_OR_NIL,
  device: join(DEVICE, NIL),
  visitor: join(record({ ip: STRING }, true), NIL),
  instance: join(record({ id: INTEGER, uuid: STRING, name: STRING }, true), NIL),
  version: TEXT_OR_NIL,
  hcaptcha_site_key: TEXT_OR_NIL,
  globals: join(
    record({ time_zones: record({ all: STRING, us_zones: STRING }), asset_url: join(hashOf(TEXT_OR_NIL), NIL) }, true),
    NIL,
  ),
  modules: hashOf(MODULE),
} satisfies Readonly<Record<keyof typeof descriptions, Type>>

/** The types of the fields of `context`, in the order of the reference. */
export const CONTEXT_FIELDS: Readonly<Record<string, Type>> = FIELDS

/** Fields that are left out when `context` is printed or logged. They can still be read by name. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set(['cookies', 'constants', 'authenticity_token'])

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
