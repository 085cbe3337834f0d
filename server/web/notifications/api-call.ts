/** Makes API calls, from a template or from given values, and reads the response for the callback. */
import type { ApiCall } from '../../../runtime/data/query/effects.ts'
import type { ApiCallEntry } from '../../../runtime/page/site.ts'
import { entries, isHash } from '../../../runtime/page/values/hash.ts'
import { plain as toText } from '../../../runtime/page/values/text.ts'
import { OutgoingFailure, type OutgoingResponse } from '../../core/net/outgoing.ts'
import { readMap, withLocation } from './email.ts'
import { DeliveryFault, type Notifications, type TemplateLocation, settingLocation } from './model.ts'
import type { PreparedNotification } from './prepare.ts'
import { oneLine } from './addresses.ts'
import { readSource, type SourceReader } from './read-attachment.ts'

/** Maximum size of a response, and maximum total size of a call's files, in bytes. */
const MAX_RESPONSE_BYTES = 10_000_000
const MAX_FILE_BYTES = 20_000_000

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|(?:POST|PUT|PATCH)_MULTIPART)$/

/** The response of another service in the form that callbacks see. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Builds the call of a template.
 * @throws LiquidFault, DeliveryFault
 */
export async function buildApiCall(entry: ApiCallEntry, prepared: PreparedNotification): Promise<ApiCall> {
  const url = (await prepared.text(entry.to)).trim()
  if (url === '')
    throw new DeliveryFault("this API call has no URL: its 'to' is blank", 'permanent', settingLocation(entry, 'to'))
  const method = parseMethod(
    (await prepared.text(entry.requestType)).trim() || 'GET',
    settingLocation(entry, 'request_type'),
  )
  const headerEntries = readMap(
    await prepared.data(entry.requestHeaders),
    'request_headers',
    settingLocation(entry, 'request_headers'),
  )
  const headers = Object.fromEntries(headerEntries.map(([name, value]) => [name.trim(), toText(value).trim()]))
  if (entry.render === null)
    throw new DeliveryFault('this template was built with errors', 'permanent', settingLocation(entry))
  const { r, scope } = await prepared.render('txt')
  return { url, method, headers, body: (await entry.render(r, scope)).trim() }
}

/**
 * Returns a valid HTTP method in upper case.
 * @throws DeliveryFault
 */
export function parseMethod(rawMethod: string, location: TemplateLocation | null): string {
  const method = rawMethod.toUpperCase()
  if (METHOD.test(method)) return method
  throw new DeliveryFault(
    `'${oneLine(rawMethod).slice(0, 40)}' is not an HTTP method for API calls`,
    'permanent',
    location,
  )
}

export interface CallOptions {
  /** Timeout of the whole call in milliseconds. */
  readonly timeout: number
  /** Whether to verify the server's certificate. */
  readonly verify: boolean
}

/**
 * Makes a call. A response with any status is a result.
 * @param entry the template; null for a call without a template
 * @throws DeliveryFault when there is no response
 */
export async function makeCall(
  notifications: Notifications,
  call: ApiCall,
  options: CallOptions,
  reader: SourceReader,
  entry: ApiCallEntry | null,
): Promise<ApiResponse> {
  const locate = (key: string): TemplateLocation | null => (entry === null ? null : settingLocation(entry, key))
  const [, method = call.method, multipart] = /^([A-Z]+?)(_MULTIPART)?$/.exec(call.method) ?? []
  const { headers, body } =
    multipart === undefined ? plainBody(call) : await withLocation(multipartBody(call, reader), locate('body'))
  try {
    return readResponse(
      await notifications.outgoing.send({
        url: call.url,
        method,
        headers,
        body,
        ...options,
        limit: MAX_RESPONSE_BYTES,
      }),
    )
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    const { reason } = error
    const hint = reason === 'closed' ? ': allow hosts of the private network in INGOT_OUTGOING' : ''
    const kind = reason === 'timeout' || reason === 'network' ? 'temporary' : 'permanent'
    throw new DeliveryFault(`the call of ${origin(call.url)} failed: ${error.message}${hint}`, kind, locate('to'))
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

/** Builds a multipart body. A value `{ "url", "name", "content_type" }` is a file; other values are form fields. */
async function multipartBody(
  { body, headers }: ApiCall,
  reader: SourceReader,
): Promise<{ headers: Readonly<Record<string, string>>; body: Uint8Array }> {
  const form = new FormData()
  let remaining = MAX_FILE_BYTES
  for (const [name, value] of parseFields(body)) {
    if (!isHash(value)) {
      form.append(name, toText(value))
      continue
    }
    const { url, name: fileName, content_type: type } = value
    if (typeof url !== 'string' || url.trim() === '') {
      throw new DeliveryFault(`the file '${oneLine(name)}' of the body has no 'url'`, 'permanent')
    }
    const source = await readSource(reader, url.trim(), remaining)
    remaining -= source.bytes.length
    const finalName = typeof fileName === 'string' && fileName !== '' ? fileName : fileNameOf(url)
    const contentType = typeof type === 'string' && type !== '' ? type : source.type
    form.append(name, new Blob([new Uint8Array(source.bytes)], { type: contentType }), oneLine(finalName).slice(0, 200))
  }
  const encoded = new Response(form)
  const contentType = encoded.headers.get('content-type') ?? 'multipart/form-data'
  const otherHeaders = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type')
  return {
    headers: { ...Object.fromEntries(otherHeaders), 'content-type': contentType },
    body: new Uint8Array(await encoded.arrayBuffer()),
  }
}

function parseFields(body: string): readonly [string, unknown][] {
  try {
    const data: unknown = JSON.parse(body)
    if (isHash(data)) return entries(data)
  } catch {
    // Invalid JSON is reported below.
  }
  throw new DeliveryFault('the body of a multipart call must be a JSON object of its fields', 'permanent')
}

function fileNameOf(url: string): string {
  return (
    url
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) || 'file'
  )
}

function readResponse({ status, headers, body }: OutgoingResponse): ApiResponse {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  return { status, headers, body: decodeBody(body, charset) }
}

/** Decodes the body. An unknown encoding is read as UTF-8. */
function decodeBody(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString()
  }
}

/** Returns the origin of a URL for messages. The path and query may contain secrets. */
export function origin(url: string): string {
  if (!URL.canParse(url)) return `'${oneLine(url).slice(0, 100)}'`
  const { origin, protocol } = new URL(url)
  return origin === 'null' ? `'${protocol}…'` : origin
}
