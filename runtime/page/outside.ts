/** Where templates run outside of a visitor's request, and what `context` lacks there: for the host that makes it, and for the compiler that warns. */

/** What runs beside the answer. */
export type BackgroundKind = 'job' | 'notification' | 'migration'

/** Fields of `context` that a visitor's request brings; every other one can be there without it. */
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

/** A part inside a field is written with a dot. */
const REQUEST: readonly string[] = [
  ...REQUEST_FIELDS,
  ...['location.href', 'location.url', 'location.pathname', 'location.search'],
]

/** Parts of `context` that are nil, or empty, outside of a request. */
export const ABSENT: Readonly<Record<BackgroundKind, readonly string[]>> = {
  // Secrets go no further than where somebody passes them on.
  job: [...REQUEST, 'constants'],
  notification: REQUEST,
  // A deploy has no address that it was asked at.
  migration: [...REQUEST, 'location'],
}
