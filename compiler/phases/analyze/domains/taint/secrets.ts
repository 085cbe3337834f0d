/** Decides by name which values are secrets, and where they must not be shown. */

/**
 * The users who may see a secret. `always`: no one. `token`: its owner, by mail or in a response to a program. `own`: the visitor who
 * receives it from the service. `given`: the visitor who sends it.
 */
export type Secrecy = 'always' | 'token' | 'own' | 'given'

/** The ways in which a value becomes visible to others. */
export type Showing = 'output' | 'print' | 'log' | 'redirect' | 'header' | 'sent'

/** Names of constants that must not be shown. Other constants are public keys, addresses and the like. */
const SECRET_NAME = /secret|private|passw|token|credential|hmac|signing|api_?key|(?:^|_)(?:key|salt|pwd|dsn)$/i
const PUBLIC_NAME =
  /public|publish|(?:^|_)pk(?:_|$)|site_?key|client_id|maps|analytics|captcha|_(?:ur[il]|host|domain|endpoint|ttl|lifetime|length|expir\w*)$/i
const PASSWORD_NAME = /^(?:(?:user|account|login|sign_?in|current|old|new)_)?(?:password|passwd)(?:_confirmation)?$/i
const SESSION_COOKIE_NAME = /(?:^|_)(?:session|sess|sessid)(?:_id|_token)?$|(?:^|_)(?:auth|remember|jwt)(?:_token)?$/i
const TOKEN_NAME = /^(?:temporary|reset|access|id|refresh|jwt|auth|otp)_?token$/i

export function isSecretConstant(name: string): boolean {
  return SECRET_NAME.test(name) && !PUBLIC_NAME.test(name)
}

export function isPasswordName(key: string): boolean {
  return PASSWORD_NAME.test(key)
}

/** Returns the secrecy of a part of the request, by its path below `context`; null if the part is not a secret. */
export function secrecyOf(path: readonly (string | null)[]): Secrecy | null {
  const [part, key = null] = path
  if (part === 'headers') return key === 'HTTP_COOKIE' || key === 'HTTP_AUTHORIZATION' ? 'always' : null
  if (part === 'cookies') return key !== null && SESSION_COOKIE_NAME.test(key) ? 'always' : null
  if (part !== 'params' && part !== 'post_params') return null
  const last = path.at(-1)
  if (last == null || path.length < 2) return null
  return isPasswordName(last) ? 'always' : TOKEN_NAME.test(last) ? 'given' : null
}

/** Tags that show values to others, each with the way in which it shows them. */
export const SHOWING_TAGS: Readonly<Record<string, Showing>> = {
  log: 'log',
  redirect_to: 'redirect',
  response_headers: 'header',
}

/** Returns whether others can see a secret that is shown in this way. `format`: the format of printed output. */
export function isSeen(secrecy: Secrecy, showing: Showing, format: string): boolean {
  if (showing === 'log') return true
  const isPrinted = showing === 'output' || showing === 'print'
  if (secrecy === 'always') return !isPrinted || format !== 'unseen'
  return secrecy === 'token' && (showing === 'redirect' || (isPrinted && format === 'html'))
}

/** Returns the secrecy of a field of a user; null if the field is not a secret. */
export function secrecyOfField(name: string): Secrecy | null {
  if (name === 'encrypted_password') return 'always'
  return name === 'temporary_token' || name === 'jwt_token' ? 'token' : null
}

// ---- recipients of secrets -----------------------------------------------------------------------------------------------------------

/** Unambiguous names of services, as they occur in addresses and in names of keys. */
const SERVICES =
  /stripe|slack|openai|github|twilio|sendgrid|mailchimp|mailgun|paypal|hubspot|algolia|discord|telegram|zapier|intercom|airtable|datadog|sentry/g

function servicesIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(SERVICES))
}

/** Returns whether a secret is certainly sent to a service that it does not belong to: both services are named, and they differ. */
export function isForAnotherService(secret: string, address: string): boolean {
  const host = /^(?:https?:\/\/)?([^/?#\s]+)/i.exec(address)?.[1] ?? ''
  const receivers = servicesIn(host)
  const owners = servicesIn(secret)
  return receivers.size > 0 && owners.size > 0 && ![...owners].some((owner) => receivers.has(owner))
}
