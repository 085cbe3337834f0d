/**
 * Lists where templates run outside a visitor's request, and which parts of `context` are missing there. The host creates `context` by this
 * list, and the compiler warns about missing parts.
 */

/** Kinds of work in the background. */
export type BackgroundKind = 'job' | 'notification' | 'migration'

/** Fields of `context` that need a visitor's request. All other fields can also exist without a request. */
export const REQUEST_FIELDS: readonly string[] = [
  'params',
  'session',
  'flash',
  'page',
  'layout',
  'headers',
  'cookies',
  'authenticity_token',
  'csrf_request_valid',
  'is_xhr',
  'post_params',
  'useragent',
  'device',
  'visitor',
]

/** Parts of `context` that need a request. A dot separates a field from a part of it. */
const REQUEST: readonly string[] = [
  ...REQUEST_FIELDS,
  ...['location.href', 'location.url', 'location.pathname', 'location.search'],
]

/** Parts of `context` that are nil, or empty, outside of a request. */
export const ABSENT_IN_BACKGROUND: Readonly<Record<BackgroundKind, readonly string[]>> = {
  // A job has only the constants that are passed to it explicitly.
  job: [...REQUEST, 'constants'],
  notification: REQUEST,
  // A migration runs at a deploy, which has no location.
  migration: [...REQUEST, 'location'],
}
