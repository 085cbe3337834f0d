/** Answers of the REST API, in its own words: clients compare them. */
import type { Reply } from '../http/message.ts'

/** The interface's media type; there is nothing else in its answers. */
export const CONTENT_TYPE = 'application/vnd.api+json'

const TEXTS = {
  // Spelled so by the interface.
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

/** Done, with nothing to say. */
export function nothing(): Reply {
  return { status: 204, headers: { 'cache-control': 'no-store' }, body: null }
}

/**
 * A refusal. What is wrong stands beside the errors, which are always the same for a status.
 * @param more `path` and `detail` of a wrong shape
 */
export function refusal(status: RefusedStatus, more: Readonly<Record<string, unknown>> = {}): Reply {
  const reply = json(status, { errors: { base: [TEXTS[status]] }, ...more })
  return status === 401 ? { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Token realm="api"' } } : reply
}

/** A wrong shape: `form.properties: expected an object` names its path, then what is wrong there. */
export function malformed(problem: string): Reply {
  const colon = problem.indexOf(': ')
  if (colon < 0) return refusal(406, { detail: problem })
  return refusal(406, { path: problem.slice(0, colon), detail: problem.slice(colon + 2) })
}
