/**
 * Lists where templates run outside a visitor's request, and which parts of `context` are missing there. Used by the
 * host, which creates `context`, and by the compiler, which warns.
 */

/** Kinds of work in the background. */
export type BackgroundKind = 'job' | 'notification' | 'migration'

/** Fields of `context` that need a visitor's request; all others can exist without one. */
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

/** A dot separates a field from its part. */
const REQUEST: readonly string[] = [
  ...REQUEST_FIELDS,
  ...['location.href', 'location.url', 'location.pathname', 'location.search'],
]

/** Parts of `context` that are nil, or empty, outside of a request. */
export const ABSENT_IN_BACKGROUND: Readonly<Record<BackgroundKind, readonly string[]>> = {
  // Constants are only available where they are passed explicitly.
  job: [...REQUEST, 'constants'],
  notification: REQUEST,
  // A deploy has no URL of a request.
  migration: [...REQUEST, 'location'],
}
