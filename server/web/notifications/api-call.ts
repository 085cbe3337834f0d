/** API calls: from a template or given directly, up to the response that the callback receives. */
import type { ApiCall } from '../../../runtime/data/query/effects.ts'
import type { ApiCallEntry } from '../../../runtime/page/site.ts'
import { entries, isHash } from '../../../runtime/page/values/hash.ts'
import { plain } from '../../../runtime/page/values/text.ts'
import { OutgoingFailure, type OutgoingResponse } from '../../core/net/outgoing.ts'
import { mapOf, withLocation } from './email.ts'
import { DeliveryFault, type Notifications, type TemplateLocation, locationOf } from './model.ts'
import type { PreparedNotification } from './prepare.ts'
import { oneLine } from './recipients.ts'
import { readSource, type SourceReader } from './sources.ts'

/** Largest response in bytes, and largest total of a call's files. */
const ANSWER = 10_000_000
const FILES = 20_000_000

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|(?:POST|PUT|PATCH)_MULTIPART)$/

/** The response of another service as a callback sees it. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Builds the call of a template.
 * @throws LiquidFault, DeliveryFault
 */
export async function apiCallOf(entry: ApiCallEntry, prepared: PreparedNotification): Promise<ApiCall> {
  const url = (await prepared.text(entry.to)).trim()
  if (url === '')
    throw new DeliveryFault("this API call goes nowhere: its 'to' is blank", 'permanent', locationOf(entry, 'to'))
  const method = methodOf((await prepared.text(entry.requestType)).trim() || 'GET', locationOf(entry, 'request_type'))
  const given = mapOf(
    await prepared.data(entry.requestHeaders),
    'request_headers',
    locationOf(entry, 'request_headers'),
  )
  const headers = Object.fromEntries(given.map(([name, value]) => [name.trim(), plain(value).trim()]))
  if (entry.render === null)
    throw new DeliveryFault('this template was built with errors', 'permanent', locationOf(entry))
  const { r, scope } = await prepared.render('txt')
  return { url, method, headers, body: (await entry.render(r, scope)).trim() }
}

/**
 * A valid HTTP method in upper case.
 * @throws DeliveryFault
 */
export function methodOf(given: string, location: TemplateLocation | null): string {
  const method = given.toUpperCase()
  if (METHOD.test(method)) return method
  throw new DeliveryFault(`'${oneLine(given).slice(0, 40)}' is no method of an API call`, 'permanent', location)
}

export interface CallOptions {
  /** Milliseconds for the whole call. */
  readonly timeout: number
  readonly verify: boolean
}

/**
 * Makes a call. A response with any status is a result.
 * @param entry the template; null for a call that was given directly
 * @throws DeliveryFault when there is no response
 */
export async function makeCall(
  parts: Notifications,
  call: ApiCall,
  options: CallOptions,
  reader: SourceReader,
  entry: ApiCallEntry | null,
): Promise<ApiResponse> {
  const at = (key: string): TemplateLocation | null => (entry === null ? null : locationOf(entry, key))
  const [, method = call.method, multipart] = /^([A-Z]+?)(_MULTIPART)?$/.exec(call.method) ?? []
  const { headers, body } =
    multipart === undefined ? plainBody(call) : await withLocation(multipartBody(call, reader), at('body'))
  try {
    return read(await parts.outgoing.send({ url: call.url, method, headers, body, ...options, limit: ANSWER }))
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    const { reason } = error
    const hint = reason === 'closed' ? ': INGOT_OUTGOING opens hosts of the own network' : ''
    const kind = reason === 'timeout' || reason === 'network' ? 'temporary' : 'permanent'
    throw new DeliveryFault(`the call of ${origin(call.url)} failed: ${error.message}${hint}`, kind, at('to'))
  }
}

function plainBody({ body, headers }: ApiCall): { headers: Readonly<Record<string, string>>; body: string | null } {
  if (body === '') return { headers, body: null }
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')) return { headers, body }
  return {
    headers: { ...headers, 'content-type': isJson(body) ? 'application/json' : 'text/plain; charset=utf-8' },
    body,
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** `{ "<param>": { "url", "name", "content_type" } }` for files; plain values become fields. */
async function multipartBody(
  { body, headers }: ApiCall,
  reader: SourceReader,
): Promise<{ headers: Readonly<Record<string, string>>; body: Uint8Array }> {
  const form = new FormData()
  let left = FILES
  for (const [name, value] of partsOf(body)) {
    if (!isHash(value)) {
      form.append(name, plain(value))
      continue
    }
    const { url, name: fileName, content_type: type } = value
    if (typeof url !== 'string' || url.trim() === '') {
      throw new DeliveryFault(`the part '${oneLine(name)}' of the body has no 'url'`, 'permanent')
    }
    const source = await readSource(reader, url.trim(), left)
    left -= source.bytes.length
    const named = typeof fileName === 'string' && fileName !== '' ? fileName : lastName(url)
    const kind = typeof type === 'string' && type !== '' ? type : source.type
    form.append(name, new Blob([new Uint8Array(source.bytes)], { type: kind }), oneLine(named).slice(0, 200))
  }
  const encoded = new Response(form)
  const contentType = encoded.headers.get('content-type') ?? 'multipart/form-data'
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type')
  return {
    headers: { ...Object.fromEntries(others), 'content-type': contentType },
    body: new Uint8Array(await encoded.arrayBuffer()),
  }
}

function partsOf(body: string): readonly [string, unknown][] {
  try {
    const data: unknown = JSON.parse(body)
    if (isHash(data)) return entries(data)
  } catch {
    // The fault is thrown below.
  }
  throw new DeliveryFault('the body of a multipart call must be a JSON object of its parts', 'permanent')
}

function lastName(url: string): string {
  return (
    url
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) || 'file'
  )
}

function read({ status, headers, body }: OutgoingResponse): ApiResponse {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  return { status, headers, body: decoded(body, charset) }
}

/** Decodes the body; as UTF-8 when the encoding is unknown. */
function decoded(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString()
  }
}

// Only the origin is shown, because path and query may contain secrets.
function origin(url: string): string {
  if (!URL.canParse(url)) return `'${oneLine(url).slice(0, 100)}'`
  const { origin, protocol } = new URL(url)
  return origin === 'null' ? `'${protocol}…'` : origin
}
