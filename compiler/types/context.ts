/** What `context` is, the one object that every template of the platform sees. */
import type { PageSettings, RouteSegment } from '../model/settings.ts'
import { BOOLEAN, INTEGER, NIL, STRING, type Type, UNKNOWN } from '../model/type.ts'
import { join } from './relate.ts'

const TEXT_OR_NIL = join(STRING, NIL)

function record(fields: Readonly<Record<string, Type>>, open = false): Type {
  return { kind: 'record', fields: new Map(Object.entries(fields)), open, origin: null }
}

function hashOf(of: Type): Type {
  return { kind: 'hash', of }
}

/** Without a JSON body, whatever comes with a request is text, or texts in hashes and arrays. */
const TEXTUAL = join(join(TEXT_OR_NIL, hashOf(UNKNOWN)), { kind: 'list', of: UNKNOWN })

const LOCATION = record({ href: STRING, url: STRING, host: STRING, pathname: STRING, search: TEXT_OR_NIL })

/** What the host itself keeps in every session; the others are what tags write. */
const SESSION: Readonly<Record<string, Type>> = {
  language: TEXT_OR_NIL,
  session_id: TEXT_OR_NIL,
  _csrf_token: TEXT_OR_NIL,
}

// Unknown keys are nil, and sites read keys that only some hosts set: the shapes are open.
const FIELDS: Readonly<Record<string, Type>> = {
  params: hashOf(UNKNOWN),
  post_params: TEXT_OR_NIL,
  current_user: join(
    record(
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
    ),
    NIL,
  ),
  session: record(SESSION, true),
  flash: record({ alert: TEXT_OR_NIL, notice: TEXT_OR_NIL }, true),
  exports: record({}, true),
  page: UNKNOWN,
  layout: UNKNOWN,
  location: join(LOCATION, NIL),
  headers: hashOf(TEXT_OR_NIL),
  cookies: hashOf(TEXT_OR_NIL),
  constants: hashOf(TEXT_OR_NIL),
  environment: STRING,
  language: STRING,
  authenticity_token: TEXT_OR_NIL,
  csrf_request_valid: join(BOOLEAN, NIL),
  is_xhr: join(BOOLEAN, NIL),
  useragent: TEXT_OR_NIL,
  visitor: UNKNOWN,
  instance: join(record({ id: INTEGER, uuid: STRING, name: STRING }, true), NIL),
  version: TEXT_OR_NIL,
  hcaptcha_site_key: TEXT_OR_NIL,
}

const ANYWHERE = record(FIELDS, true)

/**
 * The type of `context`. A page knows what its route puts into `params`; `exports` and `session` are what the site's tags
 * write, by name, where that is known.
 */
export function contextType(
  page: PageSettings | null,
  shared: { readonly exports: Type; readonly session: Type } | null,
): Type {
  if (page === null && shared === null) return ANYWHERE
  return record(
    {
      ...FIELDS,
      ...(shared === null ? {} : { exports: shared.exports, session: withHost(shared.session) }),
      ...(page === null ? {} : { params: paramsOf(page), location: LOCATION }),
    },
    true,
  )
}

/** A tag may write what the host also does. */
function withHost(session: Type): Type {
  if (session.kind !== 'record') return session
  const fields = new Map(session.fields)
  for (const [name, type] of Object.entries(SESSION)) fields.set(name, join(fields.get(name) ?? NIL, type))
  return { ...session, fields }
}

function paramsOf(page: PageSettings): Type {
  const fields = new Map<string, Type>()
  collect(page.route.segments, false, fields)
  if (page.method !== 'get') return { kind: 'record', fields, open: true, origin: null }
  // A GET request has no body, so that nothing but texts can come.
  return fields.size === 0 ? hashOf(TEXTUAL) : { kind: 'record', fields, open: true, origin: null }
}

function collect(segments: readonly RouteSegment[], optional: boolean, fields: Map<string, Type>): void {
  for (const segment of segments) {
    if (segment.kind === 'optional') collect(segment.segments, true, fields)
    else if (segment.kind !== 'static') fields.set(segment.name, optional ? TEXT_OR_NIL : STRING)
  }
}
