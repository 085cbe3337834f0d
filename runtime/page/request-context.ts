/**
 * `context` with the types of its parts, as emitted code reads it. Hosts that answer requests make it so and mark it; what another host
 * hands over is looked at. Templates may put something else into the place of a part, so none is sure to be there.
 */
import type { Fields } from './values/access.ts'

/** What may be read by any key, and what has these parts. */
export type PartKind = 'hash' | 'text' | 'number' | 'flag' | PartKinds
export interface PartKinds {
  readonly [name: string]: PartKind
}

/** The parts that are the same in all sites. What a site's own tags and files put into them is read by the keys of a hash. */
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

const REQUEST: unique symbol = Symbol('made by its host')

/** The mark, for `Object.defineProperties`; invisible to templates and copies. */
export const REQUEST_MARK: PropertyDescriptorMap = { [REQUEST]: { value: true } }

/**
 * Where a host keeps what makes its context a plain hash of all its parts: one that computes most of them when they are read makes its
 * own while they are read by name alone. Returns the context, which it has changed.
 */
export const COMPLETE: unique symbol = Symbol('complete')

/** The context with all its parts as its own. */
export function completed(context: Fields): Fields {
  const complete: unknown = (context as { readonly [COMPLETE]?: unknown })[COMPLETE]
  return typeof complete === 'function' ? (complete.call(context) as Fields) : context
}

/** @throws TypeError with the first part that is something else */
export function requestContext(given: Fields): RequestContext {
  if (isRequestContext(given)) return given
  throw new TypeError(
    `context.${wrongPart(given, CONTEXT_PARTS)} is not what the site's templates were checked against`,
  )
}

function isRequestContext(value: Fields): value is RequestContext {
  return REQUEST in value || wrongPart(value, CONTEXT_PARTS) === null
}

/** The path of the first part that is of another kind; null when there is none. */
function wrongPart(value: Fields, kinds: PartKinds): string | null {
  for (const [name, kind] of Object.entries(kinds)) {
    const part = Object.hasOwn(value, name) ? value[name] : null
    if (part === null || part === undefined) continue
    if (kind === 'text' || kind === 'number' || kind === 'flag') {
      if (typeof part !== (kind === 'text' ? 'string' : kind === 'flag' ? 'boolean' : kind)) return name
      continue
    }
    if (!isFields(part)) return name
    const inner = kind === 'hash' ? null : wrongPart(part, kind)
    if (inner !== null) return `${name}.${inner}`
  }
  return null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
