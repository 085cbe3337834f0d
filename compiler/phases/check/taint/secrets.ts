/** Which values are secrets, by their names, and where they must not be seen. */

/**
 * Who may see a secret. `always`: no one. `token`: its owner, by mail or in an answer to a program. `own`: the visitor who gets it from the
 * service. `given`: the visitor who sends it.
 */
export type Secrecy = 'always' | 'token' | 'own' | 'given'

/** What is done with a value that others can see. */
export type Showing = 'output' | 'print' | 'log' | 'redirect' | 'header' | 'sent'

/** Constants that must not be shown: others are public keys, addresses and the like. */
const SECRET = /secret|private|passw|token|credential|hmac|signing|api_?key|(?:^|_)(?:key|salt|pwd|dsn)$/i
const PUBLIC =
  /public|publish|(?:^|_)pk(?:_|$)|site_?key|client_id|maps|analytics|captcha|_(?:ur[il]|host|domain|endpoint|ttl|lifetime|length|expir\w*)$/i
const PASSWORD = /^(?:(?:user|account|login|sign_?in|current|old|new)_)?(?:password|passwd)(?:_confirmation)?$/i
const SESSION_COOKIE = /(?:^|_)(?:session|sess|sessid)(?:_id|_token)?$|(?:^|_)(?:auth|remember|jwt)(?:_token)?$/i
const TOKEN = /^(?:temporary|reset|access|id|refresh|jwt|auth|otp)_?token$/i

export function isSecretConstant(name: string): boolean {
  return SECRET.test(name) && !PUBLIC.test(name)
}

export function namesPassword(key: string): boolean {
  return PASSWORD.test(key)
}

/** What a part of the request is by its path below `context`; null for what is no secret. */
export function secrecyOf(path: readonly (string | null)[]): Secrecy | null {
  const [part, key = null] = path
  if (part === 'headers') return key === 'HTTP_COOKIE' || key === 'HTTP_AUTHORIZATION' ? 'always' : null
  if (part === 'cookies') return key !== null && SESSION_COOKIE.test(key) ? 'always' : null
  if (part !== 'params' && part !== 'post_params') return null
  const last = path.at(-1)
  if (last == null || path.length < 2) return null
  return namesPassword(last) ? 'always' : TOKEN.test(last) ? 'given' : null
}

/** Whether others can see the secret there. `format`: of what is printed. */
export function isSeen(secrecy: Secrecy, how: Showing, format: string): boolean {
  if (how === 'log') return true
  const isPrinted = how === 'output' || how === 'print'
  if (secrecy === 'always') return !isPrinted || format !== 'unseen'
  return secrecy === 'token' && (how === 'redirect' || (isPrinted && format === 'html'))
}

/** What a field of a user is. */
export function secrecyOfField(name: string): Secrecy | null {
  if (name === 'encrypted_password') return 'always'
  return name === 'temporary_token' || name === 'jwt_token' ? 'token' : null
}

// ---- for whom -----------------------------------------------------------------------------------------------------------

/** Services by words that stand in their addresses and in the names of their keys, where one of these cannot mean another one. */
const SERVICES =
  /stripe|slack|openai|github|twilio|sendgrid|mailchimp|mailgun|paypal|hubspot|algolia|discord|telegram|zapier|intercom|airtable|datadog|sentry/g

function servicesIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(SERVICES))
}

/** Whether a secret is sent to a service that it surely is not for: both are known, by their names. */
export function isForAnother(secret: string, address: string): boolean {
  const host = /^(?:https?:\/\/)?([^/?#\s]+)/i.exec(address)?.[1] ?? ''
  const receivers = servicesIn(host)
  const owners = servicesIn(secret)
  return receivers.size > 0 && owners.size > 0 && ![...owners].some((owner) => receivers.has(owner))
}
