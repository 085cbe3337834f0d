/** The parts of a request, of the visitor's data and of stored data that come from outside. */
import { quote } from '../../../../core/diagnostics/words.ts'
import type {
  SchemaResultField,
  SchemaResultObject,
  SchemaResultType,
  Operation,
} from '../../../../core/model/operation.ts'
import { derived } from '../../../../core/model/derived.ts'
import type { Span } from '../../../../core/source/span.ts'
import { isSecretConstant, isPasswordName, type Secrecy, secrecyOf, secrecyOfField } from './secrets.ts'
import {
  changeFlow,
  type Flow,
  originFlow,
  listFlow,
  NOTHING,
  recordFlow,
  sourceFlow,
  storedFlow,
  taintedFlow,
  OWN_FIELDS,
} from './flow.ts'

/** Headers whose text a client cannot choose freely. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set(['SERVER_NAME', 'REQUEST_METHOD', 'SERVER_PORT', 'HTTP_HOST'])
const LOCATION_FIELDS: ReadonlySet<string> = new Set(['href', 'url', 'search', 'pathname'])
/** Fields of the user that users choose themselves. */
const OWN_USER_FIELDS: ReadonlySet<string> = new Set([
  'email',
  'first_name',
  'middle_name',
  'last_name',
  'name',
  'properties',
])
/** Session fields that the service itself sets. */
const OWN_SESSION_FIELDS: ReadonlySet<string> = new Set(['language', 'session_id', '_csrf_token'])
/** Parts of `context` whose values all come from outside. */
const TAINTED_PARTS: ReadonlySet<string> = new Set(['params', 'post_params', 'cookies', 'useragent'])

/** Returns the value of `context.…`; `path` has null for computed keys. */
export function contextFlow(path: readonly (string | null)[], words: string, span: Span): Flow {
  const [part, key = null, inner = null] = path
  if (part == null) return NOTHING
  const secrecy = secrecyOf(path)
  if (secrecy !== null) return secretFlow(quote(words), span, secrecy)
  if (TAINTED_PARTS.has(part)) return sourceFlow(quote(words), span)
  switch (part) {
    case 'headers':
      return key !== null && PLAIN_HEADERS.has(key) ? NOTHING : sourceFlow(quote(words), span)
    case 'location':
      if (key === null) return recordOf(LOCATION_FIELDS, (each) => addressFlow(each, `${words}.${each}`, span))
      return LOCATION_FIELDS.has(key) ? addressFlow(key, words, span) : NOTHING
    case 'current_user':
      if (key === null) return recordOf(OWN_USER_FIELDS, (each) => sourceFlow(quote(`${words}.${each}`), span))
      return OWN_USER_FIELDS.has(key) ? sourceFlow(quote(words), span) : NOTHING
    case 'session':
      if (key === 'session_id' || key === '_csrf_token') return secretFlow(quote(words), span)
      return key === null || OWN_SESSION_FIELDS.has(key) ? NOTHING : storeFlow(`session.${key}`, path.slice(2))
    case 'exports':
      return key === null || inner === null ? NOTHING : storeFlow(`exports.${key}.${inner}`, path.slice(3))
    case 'constants':
      if (key === null) return path.length === 1 ? storeFlow('constants', []) : NOTHING
      return isSecretConstant(key) ? secretFlow(quote(words), span) : NOTHING
    case 'authenticity_token':
      return secretFlow(quote(words), span, 'own')
    default:
      return NOTHING
  }
}

function recordOf(fields: ReadonlySet<string>, flowOf: (field: string) => Flow): Flow {
  return recordFlow(new Map([...fields].map((field) => [field, flowOf(field)])))
}

/** Returns a part of the address. The service writes the beginning of every part except `search`: `https://` or a slash. */
function addressFlow(part: string, words: string, span: Span): Flow {
  const flow = sourceFlow(quote(words), span)
  return part === 'search' ? flow : { ...changeFlow(flow, 'scheme'), head: true }
}

function secretFlow(words: string, span: Span, secret: Secrecy = 'always'): Flow {
  return taintedFlow([{ origin: { kind: 'source', words, span, secret }, changes: [] }])
}

function storeFlow(name: string, path: readonly (string | null)[]): Flow {
  const [taint] = originFlow('store', name).taints
  if (taint === undefined || taint.origin.kind === 'source') return NOTHING
  return taintedFlow([
    {
      ...taint,
      origin: { ...taint.origin, path: path.map((key) => key ?? '[]') },
    },
  ])
}

/** Returns whether the path is a property of a record, a user or a profile, and not a part of an uploaded file. */
function isProperty(path: readonly string[]): boolean {
  const at = path.indexOf('properties')
  return at >= 0 && at === path.length - 2
}

/** Returns the value of a form field that was sent; `NOTHING` for the form's own parts. */
export function formFlow(path: readonly string[], span: Span): Flow {
  const [part] = path
  const isSent = part === 'fields' ? path.at(-1) === 'value' : part !== 'errors' && isProperty(path)
  if (!isSent) return NOTHING
  const words = quote(`form.${path.join('.')}`)
  return path.some(isPasswordName) ? secretFlow(words, span) : sourceFlow(words, span)
}

/** Returns the name of the API call that a mutation sends, and the variable that it passes as `data`; null if it sends none. */
export const sentApiCall = derived(({ document }: Operation) => {
  const name = /api_call_send\s*\([^$"]*\btemplate\s*:\s*\{\s*name\s*:\s*"([^"]+)"/.exec(document)?.[1]
  const variable = /\bdata\s*:\s*\$(\w+)/.exec(document)?.[1]
  return name === undefined || variable === undefined ? null : { name, variable }
})

// ---- queries ----------------------------------------------------------------------------------------------------------

/** Fields that contain uploads, whose addresses come from the service. */
const UPLOAD_NAME = /upload|image|attachment|photo|avatar|asset/
const UPLOAD_FIELDS: ReadonlySet<string> = new Set([
  'url',
  'versions',
  'extension',
  'mime_type',
  'content_type',
  'size',
  'file_size',
])
const MAX_DEPTH = 12

/** Returns the parts of a query's result that users wrote. */
export function queryFlow({ analysis: { schemaResult: answer }, name }: Operation, span: Span): Flow {
  return answer === null
    ? NOTHING
    : resultFlow(answer, name === null ? 'a query' : `the query ${quote(name)}`, span, null, 0)
}

function textFlow(field: SchemaResultField | null, query: string, span: Span): Flow {
  const words = `${quote(field?.key ?? '')} of ${query}`
  const secrecy = field === null ? null : secrecyOfField(field.name)
  return secrecy === null ? storedFlow(words, span) : secretFlow(words, span, secrecy)
}

function resultFlow(
  type: SchemaResultType | SchemaResultObject,
  query: string,
  span: Span,
  field: SchemaResultField | null,
  depth: number,
): Flow {
  if (depth > MAX_DEPTH) return NOTHING
  switch (type.kind) {
    case 'nullable':
      return resultFlow(type.inner, query, span, field, depth)
    case 'list':
      return listFlow(resultFlow(type.inner, query, span, field, depth))
    case 'enum':
      return NOTHING
    case 'scalar':
      return type.name === 'String' || type.name === 'JSON' ? textFlow(field, query, span) : NOTHING
    case 'object': {
      const fields = new Map<string, Flow>()
      for (const each of type.fields) {
        if (OWN_FIELDS.test(each.name) || (UPLOAD_NAME.test(field?.name ?? '') && UPLOAD_FIELDS.has(each.name)))
          continue
        const flow = resultFlow(each.type, query, span, each, depth + 1)
        if (flow !== NOTHING) fields.set(each.key, flow)
      }
      return fields.size === 0 ? NOTHING : recordFlow(fields)
    }
  }
}
