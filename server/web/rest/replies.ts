/** Answers of the REST API. Clients compare their texts. */
import type { Reply } from '../http/message.ts'
import { TRY_AGAIN } from '../http/plain-reply.ts'

/** The media type of all answers. */
export const CONTENT_TYPE = 'application/vnd.api+json'

const TEXTS = {
  // The interface's own spelling.
  401: 'Unathorized',
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const

export type RefusedStatus = keyof typeof TEXTS

/** An answer with a body. */
export function json(status: number, body: Readonly<Record<string, unknown>>): Reply {
  const headers = { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' }
  return { status, headers, body: JSON.stringify(body) }
}

/** An empty answer for success. */
export function nothing(): Reply {
  return { status: 204, headers: { 'cache-control': 'no-store' }, body: null }
}

const TOKEN_WANTED = { 'www-authenticate': 'Token realm="api"' }

/**
 * A refusal. The errors are always the same for a status; details are added beside them.
 * @param more `path` and `detail` of malformed input
 */
export function refusal(status: RefusedStatus, more: Readonly<Record<string, unknown>> = {}): Reply {
  const reply = json(status, { errors: { base: [TEXTS[status]] }, ...more })
  const added = status === 401 ? TOKEN_WANTED : status === 503 ? TRY_AGAIN : {}
  return { ...reply, headers: { ...reply.headers, ...added } }
}

/** A refusal of malformed input; `form.properties: expected an object` is split into path and detail. */
export function malformed(problem: string): Reply {
  const colon = problem.indexOf(': ')
  if (colon < 0) return refusal(406, { detail: problem })
  return refusal(406, { path: problem.slice(0, colon), detail: problem.slice(colon + 2) })
}
