/** The status codes of the REST API's replies and their error texts. Clients compare the texts. */
import type { Reply } from '../http/message.ts'
import { TRY_AGAIN } from '../http/plain-reply.ts'

/** The statuses of replies to a submitted form. Errors of the request itself have the statuses of `ERROR_TEXTS`. */
export const FORM_STATUS = {
  /** A script gets the result and the URL to visit next. */
  done: 200,
  /** An API client gets the new resource. */
  created: 201,
  /** A browser is redirected after success. */
  doneRedirect: 302,
  /** A browser is redirected to the form's page, which shows the errors. */
  refusedRedirect: 303,
  /** The values fail the form's validations. */
  refused: 422,
} as const

/** The status of input that cannot be read: broken JSON or multipart, or values of a wrong shape. */
export const MALFORMED_STATUS = 406

/** The media type of all replies. */
export const CONTENT_TYPE = 'application/vnd.api+json'

const ERROR_TEXTS = {
  // Clients depend on this misspelling.
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

export type ErrorStatus = keyof typeof ERROR_TEXTS

/** Creates a reply with a JSON body. */
export function jsonReply(status: number, body: Readonly<Record<string, unknown>>): Reply {
  const headers = { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' }
  return { status, headers, body: JSON.stringify(body) }
}

/** Creates the empty reply for success. */
export function emptyReply(): Reply {
  return { status: 204, headers: { 'cache-control': 'no-store' }, body: null }
}

const AUTHENTICATE = { 'www-authenticate': 'Token realm="api"' }

/**
 * Creates an error reply. The error text depends only on the status.
 * @param extraFields additional fields: `path` and `detail` of malformed input
 */
export function errorReply(status: ErrorStatus, extraFields: Readonly<Record<string, unknown>> = {}): Reply {
  const reply = jsonReply(status, { errors: { base: [ERROR_TEXTS[status]] }, ...extraFields })
  const headers = status === 401 ? AUTHENTICATE : status === 503 ? TRY_AGAIN : {}
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

/**
 * Creates an error reply with its reason, which the request log shows.
 * @param isShown whether the body has the reason too, as `detail`
 */
export function refusal(status: ErrorStatus, reason: string, isShown: boolean): Reply {
  return { ...errorReply(status, isShown ? { detail: reason } : {}), reason }
}

/** Creates the error reply for malformed input. `form.properties: expected an object` is split into path and detail. */
export function malformedInput(problem: string): Reply {
  const colon = problem.indexOf(': ')
  if (colon < 0) return errorReply(MALFORMED_STATUS, { detail: problem })
  return errorReply(MALFORMED_STATUS, { path: problem.slice(0, colon), detail: problem.slice(colon + 2) })
}
