/**
 * Masks what must not be recorded or shown to developers: passwords, tokens, secrets, cookies, constants, session ids and card numbers.
 * Everything that is recorded, and every value on an error page, passes through here. A value is masked by the name of its key, because it is a known secret, or because of its form. A secret that is found
 * under a key is also masked wherever else it occurs.
 */

/** The text that replaces a secret. */
export const MASK = '[masked]'

/** Texts that are secret because of their form. */
const SECRET_FORMS: readonly RegExp[] = [
  /\beyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g, // JSON web tokens
  /\$(?:argon2\w*|2[abxy]?|scrypt|pbkdf2)\$[^\s"'<>]{8,}/g, // hashed passwords
  /\b(?:ingot|sk|pk|rk|whsec|ghp|gho|ghs|glpat|xox[abpr])[_-][\w-]{12,}/g, // tokens of services
  /\b(?:Bearer|Basic|Token)\s+[\w.~+/=-]{8,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bAKIA[0-9A-Z]{12,}/g,
]
/** A parameter of a URL, an assignment in a text, or an argument of a GraphQL document, whose name is secret. */
const NAMED_IN_TEXT =
  /([\w[\].-]*(?:passw\w*|secret|token|api_?key|signature|authorization|csrf|otp)[\w[\].-]*(?:%5D)?)(=|"?\s*:\s*")([^&\s"'<>]{1,4096})/gi
const DIGITS = /\b\d(?:[ -]?\d){12,18}\b/g

/** Minimum length of a secret that is also masked inside longer texts. */
const MIN_INSIDE = 5
/** Maximum number of secrets that are searched for. */
const MAX_SECRETS = 200
/** Maximum number of values in one list or object, and maximum nesting. */
const MAX_ITEMS = 100
const MAX_DEPTH = 12

/** Values that are too common to be secret. */
const COMMON = /^(?:|true|false|null|nil|yes|no|on|off|\d{1,3}|[a-z]{1,3})$/i

/**
 * Returns whether the value of a key is secret. Keys of headers, cookies, parameters and variables are treated alike. The text of this function is
 * also run in other places, so it uses nothing from outside.
 */
export function isSecretName(name: string): boolean {
  // Keys that look secret, and are not.
  if (/^(?:csrf_?valid|token_?type|password_?digest_?version|tokens_?count|cookies_?accepted)$/i.test(name))
    return false
  const isPart =
    /passw|passphrase|secret|token|credential|apikey|privatekey|accesskey|authorization|authentication$|cookie|csrf|xsrf|sessionid|onetime|cardnumber|creditcard/i
  if (isPart.test(name.replaceAll(/[-_. ]/g, ''))) return true
  // Words that are secret between separators.
  return /(?:^|[-_.[ ])(?:pass|pwd|pin|otp|jwt|sid|auth|bearer|nonce|cvv|cvc|iban|ssn|ccnumber|signature)(?:$|[-_.\] ])/i.test(
    name,
  )
}

export interface MaskOptions {
  /** Maximum length of a text; longer ones are cut. */
  readonly length: number
}

export class Masker {
  readonly #secrets = new Set<string>()
  #search: RegExp | null = null

  /** Adds a value that is masked wherever it occurs. */
  add(secret: unknown): void {
    if (typeof secret === 'number' || typeof secret === 'bigint') return this.add(String(secret))
    if (typeof secret !== 'string' || COMMON.test(secret) || secret === MASK || this.#secrets.size >= MAX_SECRETS)
      return
    this.#secrets.add(secret)
    this.#search = null
  }

  /** Adds all secrets that a value contains, by the names of their keys. */
  collect(value: unknown, isSecret = false, depth = 0): void {
    if (depth > MAX_DEPTH) return
    if (isSecret && (typeof value === 'string' || typeof value === 'number')) return this.add(value)
    // Parameters of statements contain properties as JSON.
    if (typeof value === 'string') return this.#collectJson(value, depth)
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value.slice(0, MAX_ITEMS)) this.collect(item, isSecret, depth + 1)
      return
    }
    for (const [name, item] of entriesOf(value)) this.collect(item, isSecret || isSecretName(name), depth + 1)
  }

  #collectJson(text: string, depth: number): void {
    if (!/^[[{]/.test(text) || text.length > MAX_JSON) return
    const value = parseJson(text)
    if (value !== undefined) this.collect(value, false, depth + 1)
  }

  /**
   * Returns a copy without secrets, in which long texts are cut. Objects become plain objects, and other values texts.
   * @param isSecret whether the key of the value is secret
   */
  mask(value: unknown, options: MaskOptions, isSecret = false, depth = 0): unknown {
    if (value === null || value === undefined) return null
    if (isSecret && typeof value !== 'object' && typeof value !== 'boolean') return value === '' ? '' : MASK
    if (typeof value === 'string') return this.text(value, options.length)
    if (typeof value === 'number') return this.#secrets.has(String(value)) ? MASK : value
    if (typeof value === 'boolean') return value
    if (typeof value !== 'object') return this.text(String(value), options.length)
    if (depth >= MAX_DEPTH) return '…'
    if (Array.isArray(value)) {
      const items = value.slice(0, MAX_ITEMS).map((item) => this.mask(item, options, isSecret, depth + 1))
      return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items
    }
    const entries = entriesOf(value)
    if (
      entries.length === 0 &&
      Object.getPrototypeOf(value) !== Object.prototype &&
      Object.getPrototypeOf(value) !== null
    )
      return this.text(String(value), options.length)
    return Object.fromEntries(
      entries.map(([name, item]) => [
        this.text(name, 200),
        this.mask(item, options, isSecret || isSecretName(name), depth + 1),
      ]),
    )
  }

  /** Returns a text without secrets, cut to a length. */
  text(whole: string, length: number): string {
    if (this.#secrets.has(whole)) return MASK
    // A text is masked before it is cut, so that no part of a secret remains at its end.
    let text = whole.length > MAX_SEARCHED ? whole.slice(0, MAX_SEARCHED) : whole
    if (/^[[{]/.test(text) && text.length < MAX_JSON) text = this.#json(text)
    const search = (this.#search ??= this.#createSearch())
    if (search !== null) text = text.replace(search, MASK)
    text = maskForms(text)
    return text.length > length ? `${text.slice(0, length)}… (${whole.length} characters)` : text
  }

  /** Masks the values of secret keys in JSON. */
  #json(text: string): string {
    const value = parseJson(text)
    if (value === undefined || typeof value !== 'object') return text
    return JSON.stringify(this.mask(value, { length: MAX_SEARCHED }))
  }

  #createSearch(): RegExp | null {
    const inside = [...this.#secrets].filter((secret) => secret.length >= MIN_INSIDE)
    const encoded = inside.filter((secret) => secret.isWellFormed()).map(encodeURIComponent)
    const all = [...new Set([...inside, ...encoded])].sort((a, b) => b.length - a.length)
    return all.length === 0 ? null : new RegExp(all.map(escapeForRegex).join('|'), 'g')
  }
}

/** Maximum length of a text that is parsed as JSON, and of the part of a text that is searched. */
const MAX_JSON = 20_000
const MAX_SEARCHED = 40_000

function maskForms(text: string): string {
  let masked = text
  if (text.length >= 12) for (const form of SECRET_FORMS) masked = masked.replace(form, MASK)
  if (/=|:\s*"/.test(masked))
    masked = masked.replace(NAMED_IN_TEXT, (_whole, name: string, sign: string) => `${name}${sign}${MASK}`)
  return masked.length < 13 ? masked : masked.replace(DIGITS, (digits) => (isCardNumber(digits) ? MASK : digits))
}

/** Returns whether digits are a valid card number (Luhn), and not a time in milliseconds. */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  if (/^1[5-9]\d{11}$/.test(digits) || /^0/.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  // A field may be a getter that fails.
  try {
    return Object.entries(value).slice(0, MAX_ITEMS)
  } catch {
    return []
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function escapeForRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
