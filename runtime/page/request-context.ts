/**
 * `context` with typed parts, as emitted code reads it. Hosts that answer requests mark the contexts that they
 * create. Contexts of other hosts are checked. A part may be missing, because templates may replace it.
 */
import { type Fields, isFields } from './values/fields.ts'

/** The type of a part: a hash with any keys, a scalar, or an object with known parts. */
export type PartKind = 'hash' | 'text' | 'number' | 'flag' | PartKinds
export interface PartKinds {
  readonly [name: string]: PartKind
}

/** The types of the parts that all sites have. A part that the site's own tags and files fill is a hash. */
export const CONTEXT_PARTS = {
  params: 'hash',
  post_params: 'text',
  current_user: {
    ...{ id: 'text', email: 'text', name: 'text', first_name: 'text', last_name: 'text' },
    ...{ slug: 'text', external_id: 'text', language: 'text' },
  },
  session: 'hash',
  flash: 'hash',
  exports: 'hash',
  page: 'hash',
  layout: 'hash',
  location: { href: 'text', url: 'text', host: 'text', pathname: 'text' },
  headers: 'hash',
  cookies: 'hash',
  constants: 'hash',
  environment: 'text',
  language: 'text',
  authenticity_token: 'text',
  csrf_request_valid: 'flag',
  is_xhr: 'flag',
  useragent: 'text',
  device: {
    ...{ bot: 'flag', bot_name: 'text', device_brand: 'text', device_name: 'text', device_type: 'text' },
    ...{ full_version: 'text', known: 'flag', name: 'text', os_name: 'text', os_full_version: 'text' },
  },
  visitor: { ip: 'text' },
  instance: { id: 'number', uuid: 'text', name: 'text' },
  version: 'text',
  hcaptcha_site_key: 'text',
  globals: { time_zones: { all: 'text', us_zones: 'text' }, asset_url: 'hash' },
  modules: 'hash',
} as const satisfies PartKinds

interface Simple {
  readonly hash: Fields
  readonly text: string
  readonly number: number
  readonly flag: boolean
}

type Part<Kind> = Kind extends keyof Simple ? Simple[Kind] : Parts<Kind>
type Parts<Kinds> = { readonly [Name in keyof Kinds]?: Part<Kinds[Name]> | null | undefined }

export type RequestContext = Parts<typeof CONTEXT_PARTS>

const REQUEST: unique symbol = Symbol('checked context')

/** The mark of a checked context, for `Object.defineProperties`. Templates and copies do not see it. */
export const REQUEST_MARK: PropertyDescriptorMap = { [REQUEST]: { value: true } }

/**
 * The key of a method that turns a context into a plain hash of all its parts. Hosts that compute parts on demand
 * define it. The method changes the context and returns it.
 */
export const COMPLETE_CONTEXT: unique symbol = Symbol('complete')

/** Returns the context as a hash that has all its parts as own properties. */
export function completeContext(context: Fields & { readonly [COMPLETE_CONTEXT]?: () => Fields }): Fields {
  return context[COMPLETE_CONTEXT]?.() ?? context
}

/**
 * Returns the context with its type.
 * @throws TypeError with the path of the first part that has another type
 */
export function requireRequestContext(givenContext: Fields): RequestContext {
  if (isRequestContext(givenContext)) return givenContext
  throw new TypeError(
    `context.${findWrongPart(givenContext, CONTEXT_PARTS)} does not have the type that the site's templates were checked with`,
  )
}

function isRequestContext(value: Fields): value is RequestContext {
  return REQUEST in value || findWrongPart(value, CONTEXT_PARTS) === null
}

/** Returns the path of the first part that has another type; null when there is none. */
function findWrongPart(value: Fields, kinds: PartKinds): string | null {
  for (const [name, kind] of Object.entries(kinds)) {
    const part = Object.hasOwn(value, name) ? value[name] : null
    if (part === null || part === undefined) continue
    if (kind === 'text' || kind === 'number' || kind === 'flag') {
      if (typeof part !== (kind === 'text' ? 'string' : kind === 'flag' ? 'boolean' : kind)) return name
      continue
    }
    if (!isFields(part)) return name
    const wrongInnerPart = kind === 'hash' ? null : findWrongPart(part, kind)
    if (wrongInnerPart !== null) return `${name}.${wrongInnerPart}`
  }
  return null
}
