/** What of a request, of its visitor and of stored data comes from outside. */
import { quote } from '../../../core/diagnostics/words.ts'
import type {
  SchemaResultField,
  SchemaResultObject,
  SchemaResultType,
  Operation,
} from '../../../core/model/operation.ts'
import { derived } from '../../../core/model/derived.ts'
import type { Span } from '../../../core/source/span.ts'
import { CHANGES } from './changes.ts'
import { isSecretConstant, namesPassword, type Secrecy, secrecyOf, secrecyOfField } from './secrets.ts'
import {
  changed,
  type Flow,
  givenFlow,
  listFlow,
  NOTHING,
  recordFlow,
  sourceFlow,
  storedFlow,
  tainted,
  OWN_FIELDS,
} from './flow.ts'

/** Headers that whoever sends a request cannot fill with a text of their own. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set(['SERVER_NAME', 'REQUEST_METHOD', 'SERVER_PORT', 'HTTP_HOST'])
const LOCATION: ReadonlySet<string> = new Set(['href', 'url', 'search', 'pathname'])
/** Fields of the user that they have chosen. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'email',
  'first_name',
  'middle_name',
  'last_name',
  'name',
  'properties',
])
/** What the service itself keeps in the session. */
const OWN_SESSION: ReadonlySet<string> = new Set(['language', 'session_id', '_csrf_token'])
const WHOLE: ReadonlySet<string> = new Set(['params', 'post_params', 'cookies', 'useragent'])

/** The value of `context.….`; `path` has null for keys that are computed. */
export function contextFlow(path: readonly (string | null)[], words: string, span: Span): Flow {
  const [part, key = null, inner = null] = path
  if (part == null) return NOTHING
  const secrecy = secrecyOf(path)
  if (secrecy !== null) return secretFlow(quote(words), span, secrecy)
  if (WHOLE.has(part)) return sourceFlow(quote(words), span)
  switch (part) {
    case 'headers':
      return key !== null && PLAIN_HEADERS.has(key) ? NOTHING : sourceFlow(quote(words), span)
    case 'location':
      if (key === null)
        return recordFlow(new Map([...LOCATION].map((each) => [each, addressFlow(each, `${words}.${each}`, span)])))
      return LOCATION.has(key) ? addressFlow(key, words, span) : NOTHING
    case 'current_user':
      if (key === null)
        return recordFlow(new Map([...OWN_WORDS].map((each) => [each, sourceFlow(quote(`${words}.${each}`), span)])))
      return OWN_WORDS.has(key) ? sourceFlow(quote(words), span) : NOTHING
    case 'session':
      if (key === 'session_id' || key === '_csrf_token') return secretFlow(quote(words), span)
      return key === null || OWN_SESSION.has(key) ? NOTHING : storeFlow(`session.${key}`, path.slice(2))
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

/** A part of the address. The service writes the beginning of most: `https://`, or a slash. */
function addressFlow(part: string, words: string, span: Span): Flow {
  const flow = sourceFlow(quote(words), span)
  return part === 'search' ? flow : { ...changed(flow, CHANGES.scheme), head: true }
}

function secretFlow(words: string, span: Span, secret: Secrecy = 'always'): Flow {
  return tainted([{ origin: { kind: 'source', words, span, secret }, changes: [] }])
}

function storeFlow(name: string, path: readonly (string | null)[]): Flow {
  const [taint] = givenFlow('store', name).taints
  if (taint === undefined || taint.origin.kind === 'source') return NOTHING
  return tainted([
    {
      ...taint,
      origin: { ...taint.origin, path: path.map((key) => key ?? '[]') },
    },
  ])
}

/** Whether it is one of the properties that a record, a user or a profile has, and nothing of a file that was uploaded. */
function isProperty(path: readonly string[]): boolean {
  const at = path.indexOf('properties')
  return at >= 0 && at === path.length - 2
}

/** What a form has of the fields that were sent; null for its own parts. */
export function formFlow(path: readonly string[], span: Span): Flow {
  const [part] = path
  const isSent = part === 'fields' ? path.at(-1) === 'value' : part !== 'errors' && isProperty(path)
  if (!isSent) return NOTHING
  const words = quote(`form.${path.join('.')}`)
  return path.some(namesPassword) ? secretFlow(words, span) : sourceFlow(words, span)
}

/** An API call that a mutation sends by its name, and the variable that it is given as `data`. */
export const sentBy = derived(({ document }: Operation) => {
  const name = /api_call_send\s*\([^$"]*\btemplate\s*:\s*\{\s*name\s*:\s*"([^"]+)"/.exec(document)?.[1]
  const variable = /\bdata\s*:\s*\$(\w+)/.exec(document)?.[1]
  return name === undefined || variable === undefined ? null : { name, variable }
})

// ---- queries ----------------------------------------------------------------------------------------------------------

/** Fields that hold what was uploaded: its address is the service's. */
const UPLOADS = /upload|image|attachment|photo|avatar|asset/
const UPLOADED: ReadonlySet<string> = new Set([
  'url',
  'versions',
  'extension',
  'mime_type',
  'content_type',
  'size',
  'file_size',
])
const DEEPEST = 12

/** What of a query's result was written by people. */
export function queryFlow({ analysis: { schemaResult: answer }, name }: Operation, span: Span): Flow {
  return answer === null
    ? NOTHING
    : answerFlow(answer, name === null ? 'a query' : `the query ${quote(name)}`, span, null, 0)
}

function textFlow(field: SchemaResultField | null, query: string, span: Span): Flow {
  const words = `${quote(field?.key ?? '')} of ${query}`
  const secrecy = field === null ? null : secrecyOfField(field.name)
  return secrecy === null ? storedFlow(words, span) : secretFlow(words, span, secrecy)
}

function answerFlow(
  type: SchemaResultType | SchemaResultObject,
  query: string,
  span: Span,
  field: SchemaResultField | null,
  depth: number,
): Flow {
  if (depth > DEEPEST) return NOTHING
  switch (type.kind) {
    case 'nullable':
      return answerFlow(type.of, query, span, field, depth)
    case 'list':
      return listFlow(answerFlow(type.of, query, span, field, depth))
    case 'enum':
      return NOTHING
    case 'scalar':
      return type.name === 'String' || type.name === 'JSON' ? textFlow(field, query, span) : NOTHING
    case 'object': {
      const fields = new Map<string, Flow>()
      for (const each of type.fields) {
        if (OWN_FIELDS.test(each.name) || (UPLOADS.test(field?.name ?? '') && UPLOADED.has(each.name))) continue
        const flow = answerFlow(each.type, query, span, each, depth + 1)
        if (flow !== NOTHING) fields.set(each.key, flow)
      }
      return fields.size === 0 ? NOTHING : recordFlow(fields)
    }
  }
}
