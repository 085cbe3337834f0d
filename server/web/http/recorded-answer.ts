/** Describes an answered request for its recording. */
import type { RecordedAnswer, RequestKind } from '../../core/contracts/recording.ts'
import { headerOf, isFile, type Reply, type Request } from './message.ts'

/** Headers of the script of open pages, which requests the page again. */
const UPDATE_HEADERS = ['x-ingot-page', 'x-ingot-marks']

/** @param bytes size of the body; null when unknown */
export function recordedAnswer(request: Request, status: number, reply: Reply, bytes: number | null): RecordedAnswer {
  const { headers, cookies = [], body } = reply
  const location = headerValue(headers, 'location')
  const isStored = body !== null && typeof body !== 'string' && isFile(body)
  return {
    id: request.id,
    kind: kindOf(request, reply),
    method: request.method,
    url: request.url,
    host: request.host,
    address: request.ip,
    status,
    template: reply.template ?? reply.endpoint ?? (isStored ? '(file)' : null),
    format: formatOf(headerValue(headers, 'content-type')),
    isUpdate: UPDATE_HEADERS.some((name) => headerOf(request, name) !== ''),
    bytes,
    requestHeaders: request.headers,
    responseHeaders: cookies.length === 0 ? headers : { ...headers, 'set-cookie': cookies },
    redirectTo: status >= 300 && status < 400 ? location : null,
    error: reply.reason ?? null,
    job: null,
  }
}

function kindOf(request: Request, { endpoint }: Reply): RequestKind {
  if (request.path === '/api/graph') return 'graphql'
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(request.contentType)
  const isChange = request.method !== 'GET' && request.method !== 'HEAD'
  const mode = headerOf(request, 'sec-fetch-mode')
  const byScript =
    headerOf(request, 'x-requested-with').toLowerCase() === 'xmlhttprequest' || (mode !== '' && mode !== 'navigate')
  if (isChange && isForm && !byScript) return 'form'
  if (endpoint === '(form)' || request.path.startsWith('/api/')) return 'rest'
  return byScript ? 'xhr' : 'page'
}

function formatOf(contentType: string | null): string | null {
  return contentType === null ? null : (contentType.split(';', 1)[0] ?? '').trim()
}

function headerValue(headers: Reply['headers'], name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}
