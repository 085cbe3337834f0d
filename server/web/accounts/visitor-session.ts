/** The session of one request. Changes are collected and written when the request ends. */
import { createHmac, randomBytes } from 'node:crypto'
import { LiquidFault } from '../../../runtime/page/fault.ts'
import { replaceLoneSurrogates } from '../../../runtime/page/values/well-formed.ts'
import { entries, hashSize, removeKey, setKey } from '../../../runtime/page/values/hash.ts'
import { parseJson, toJson } from '../../../runtime/page/values/json.ts'
import { isBlank } from '../../../runtime/page/values/truth.ts'
import { isForeign, requestSender } from '../http/foreign.ts'
import type { Request } from '../http/message.ts'
import { network } from '../http/network.ts'
import { SOCKET_PATH } from '../http/upgrade.ts'
import type { Params } from '../http/params.ts'
import { type CurrentUser, type FlashKind, type Session, SessionsAway } from '../site/session.ts'
import type { AttemptResult } from './attempts.ts'
import { type CookieRules, readCookie, SESSION_COOKIE, formatCookie, TOKEN_COOKIE } from './cookies.ts'
import { isTokenOf, maskToken, SECRET_BYTES } from './csrf.ts'
import { DEVICE_COOKIE, DEVICE_LIFETIME } from './devices.ts'
import type { Flash, RowChange, SessionRow } from './rows.ts'
import type { SessionDependencies, SessionLookup } from './session-dependencies.ts'
import { rowKeyOf, type Ticket } from './tickets.ts'

/**
 * Allowed field names. Names may come from visitors, so their length is limited and NUL and lone surrogates are
 * excluded.
 */
const FIELD_NAME = /^[^\0\p{Surrogate}]{1,200}$/u
const MAX_FIELDS = 200
/** Maximum length in characters of a field as JSON. */
const MAX_FIELD_LENGTH = 256 * 1024
const MAX_MESSAGE = 4_096
/** JSON escapes that the database cannot store: NUL and surrogates. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi
/** Maximum lifetime of a session in minutes: ten years. */
const MAX_LIFETIME = 10 * 525_960
/** A visit is recorded after this share of the lifetime, and at the latest after an hour. This saves writes. */
const TOUCH_SHARE = 1 / 10
const TOUCH_MINUTES = 60
/**
 * Minutes after which a session is removed when its visitor does not return. Robots create many such sessions, because
 * they keep no cookies.
 */
const TRIAL_MINUTES = 1_440

/** Changes that are not written yet; undefined marks a removed field. */
type SessionChanges = Map<string, string | undefined>

/** The session of one request. */
export class VisitorSession implements Session {
  user: CurrentUser | null = null
  csrfValid: boolean
  reads = 0
  tokenProblem: string | null = null
  readonly #dependencies: SessionDependencies
  readonly #request: Request
  readonly #params: Params
  /**
   * Whether the request contains a secret that no page of another site can send: the session's CSRF token or an API
   * token.
   */
  #hasProof: boolean
  /** Whether an API client or a job sends the request on behalf of a user. */
  readonly #isProgram: boolean
  #signUp: Promise<AttemptResult> | null = null
  #csrfToken: string | null = null
  #tokens: readonly string[] = NONE
  #ticket: Ticket | null = null
  #secret: Buffer | null = null
  #row: SessionRow | null = null
  #values: Record<string, unknown> | null = null
  #flash: Flash | null = null
  #flashRead = false
  #changes: SessionChanges | null = null
  #newMessages: Flash | null = null
  /** A sign-in whose row is not written yet. */
  #signedIn: { readonly userId: string; readonly minutes: number } | null = null
  /** Keys of the rows to remove. */
  #rowsToRemove: string[] = []
  #signedOut = false
  #keepsNothing = false
  /** Whether the visitor sent a valid session cookie. Then the visitor's browser stores cookies. */
  #sentValidCookie = false
  /** The row of the session that a request without a valid CSRF token keeps, but may not use. */
  #suspended: SessionRow | null = null
  #renewed = false
  /** The CSRF secret of the session whose cookie was sent. */
  #sentSecret: Buffer | null = null
  /** The `state` with which the visitor leaves for another site. */
  #leftWith: string | null = null

  constructor(
    dependencies: SessionDependencies,
    request: Request,
    params: Params,
    csrfValid: boolean,
    hasProof: boolean,
    isApiClient: boolean,
  ) {
    this.#dependencies = dependencies
    this.#request = request
    this.#params = params
    this.csrfValid = csrfValid
    this.#hasProof = hasProof
    this.#isProgram = isApiClient
  }

  /**
   * Records the session of the sent cookie, whether or not the request may use it.
   * @param tokenProblem why it may not
   */
  recognize({ secret }: SessionLookup, tokenProblem: string | null): void {
    this.#sentSecret = secret
    this.tokenProblem = tokenProblem
  }

  /** Opens the session of the cookie. */
  resume({ ticket, secret, row }: SessionLookup): void {
    this.csrfValid = true
    this.#hasProof = true
    this.#sentValidCookie = true
    this.#ticket = ticket
    this.#secret = secret
    this.#row = row
    this.user = row?.user ?? null
  }

  /**
   * Keeps the session whose CSRF token the request lacks, without its user and fields. The request can only add messages
   * to it, end it, or replace it by signing in. While no user is signed in, it can also set fields.
   */
  suspend({ ticket, secret, row }: SessionLookup): void {
    this.#sentValidCookie = true
    this.#ticket = ticket
    this.#secret = secret
    this.#suspended = row
  }

  get values(): Record<string, unknown> {
    this.#values ??= this.#row?.fields ?? {}
    return this.#values
  }

  storeRefusedForm(text: string): boolean {
    const isFull = this.#needsNewRow() && this.#dependencies.rowLimit.isFull(this.address, this.#sentValidCookie)
    if (isFull || !this.#keepsChanges()) return false
    this.#newMessages = { ...this.#newMessages, form: replaceLoneSurrogates(text) }
    return true
  }

  get keptForm(): string | null {
    return this.#row?.flash.form ?? null
  }

  get flash(): Flash {
    this.#flashRead = true
    return this.#messages()
  }

  get tokens(): readonly string[] {
    return this.#tokens
  }

  countRead(): void {
    if (this.user !== null || hashSize(this.values) > 0) this.reads++
  }

  get address(): string {
    return this.#request.ip
  }

  get network(): string | null {
    return this.#isProgram ? null : network(this.address)
  }

  signUp(): Promise<AttemptResult> {
    this.#signUp ??= this.#isProgram ? Promise.resolve('free') : this.#dependencies.attempts.signUp(this.address)
    return this.#signUp
  }

  get device(): string | null {
    return readCookie(this.#request.cookie, DEVICE_COOKIE)
  }

  get row(): string | null {
    return this.#suspended === null ? this.#rowKey : null
  }

  get #rowKey(): string | null {
    return this.#ticket?.kind === 'stored' ? rowKeyOf(this.#ticket) : null
  }

  csrfToken(): string {
    if (this.#csrfToken !== null) return this.#csrfToken
    if (this.#secret === null) this.#startFresh()
    this.#csrfToken = maskToken(this.#secret ?? PLACEHOLDER_SECRET)
    this.#tokens = [...this.tokens, this.#csrfToken]
    return this.#csrfToken
  }

  id(): string {
    // A response that shows the id must not be cached for other visitors. Creating a token marks the response as
    // private.
    this.csrfToken()
    return publicIdOf(this.#secret ?? PLACEHOLDER_SECRET)
  }

  get knownId(): string | null {
    const secret = this.#sentSecret ?? this.#secret
    return secret === null ? null : publicIdOf(secret)
  }

  set(field: string, value: unknown): void {
    if (!FIELD_NAME.test(field))
      throw new LiquidFault('session: a field name must have 1 to 200 characters without NUL')
    if (isBlank(value)) {
      if (!Object.hasOwn(this.values, field)) return
      removeKey(this.values, field)
      if (this.#row === null) this.#discardChange(field)
      else this.#pendingChanges().set(field, undefined)
      return
    }
    // Converted to JSON and back immediately, so that this request reads the same value as later requests.
    const json = toJson(value).replace(UNSTORABLE, '$1\ufffd')
    if (json.length > MAX_FIELD_LENGTH)
      throw new LiquidFault(`session: '${field}' is longer than ${MAX_FIELD_LENGTH} characters`)
    if (!Object.hasOwn(this.values, field) && hashSize(this.values) >= MAX_FIELDS)
      throw new LiquidFault(`session: there are ${MAX_FIELDS} fields already`)
    setKey(this.values, field, parseJson(json))
    this.#pendingChanges().set(field, json)
  }

  /** Discards the pending change of a field, so that a session without data gets no row. */
  #discardChange(field: string): void {
    this.#changes?.delete(field)
    if (this.#changes?.size === 0) this.#changes = null
  }

  addFlash(kind: FlashKind, text: string, now = false): void {
    const message = replaceLoneSurrogates(text.trim().replaceAll('\0', '').slice(0, MAX_MESSAGE))
    if (message === '') return
    if (now) this.#messages()[kind] = message
    else this.#newMessages = { ...this.#newMessages, [kind]: message }
  }

  admitsSignIn(): boolean {
    if (!this.#isForeign() || this.#isReturn()) return true
    const { method, path, id } = this.#request
    const sender = JSON.stringify(requestSender(this.#request).slice(0, 200))
    const message = `${method} ${path} did not sign in: it came from a page of another site, ${sender}.`
    this.#dependencies.logger?.warn({ id }, `${message} ${ADVICE}`)
    return false
  }

  leaveWith(state: string): void {
    this.#leftWith = state
  }

  /** Whether a page of another site has sent a request that changes data. */
  #isForeign(): boolean {
    return !this.#hasProof && isForeign(this.#request, this.#dependencies.isOwnHost)
  }

  /**
   * Returns whether changes of this request are stored. Browsers send no `SameSite=Lax` cookies with requests from
   * other sites. So the visitor may have a session that the request does not show, and a new cookie would replace it.
   */
  #keepsChanges(): boolean {
    return !this.#keepsNothing && (this.#signedIn !== null || !this.#isForeign())
  }

  /** Returns whether the visitor returns from another site with a `state` with which this browser left. */
  #isReturn(): boolean {
    return this.#dependencies.returns.knows(this.#request.cookie, this.#params.state)
  }

  async signIn(userId: string, timeoutInMinutes: number | null): Promise<void> {
    if (this.#request.headers['upgrade'] !== undefined && this.#request.path === SOCKET_PATH)
      throw new LiquidFault('sign_in: a WebSocket cannot set a cookie, so sign in on a page')
    if (!this.admitsSignIn()) return
    const user = await this.#existingUser(userId)
    const minutes = timeoutInMinutes ?? this.#dependencies.timeoutInMinutes
    if (!(minutes > 0)) throw new LiquidFault('sign_in: timeout_in_minutes must be greater than zero')
    const keptFields = entries(this.values)
    // Messages that were not shown yet are kept. The values of a form are dropped, because another person may have
    // submitted it.
    if (this.#row !== null && !this.#flashRead) {
      const { form: _, ...messages } = this.#row.flash
      this.#newMessages = { ...messages, ...this.#newMessages }
    }
    this.#clear()
    this.#ticket = this.#dependencies.tickets.stored()
    this.#secret = randomBytes(SECRET_BYTES)
    this.#signedIn = { userId: user.id, minutes: Math.min(minutes, MAX_LIFETIME) }
    this.user = user
    for (const [field, value] of keptFields) this.set(field, value)
  }

  async actAs(userId: string, keepsNothing = false): Promise<void> {
    this.user = await this.#existingUser(userId)
    this.#keepsNothing ||= keepsNothing
  }

  async signOut(): Promise<void> {
    this.#clear()
    this.#signedOut = true
    this.user = null
    await this.#dependencies.rows.remove(this.#rowsToRemove)
    this.#rowsToRemove = []
  }

  get isUntouched(): boolean {
    if (this.#ticket !== null || this.#row !== null || this.#signedOut || this.#leftWith !== null) return false
    return this.#changes === null && this.#newMessages === null && this.#rowsToRemove.length === 0
  }

  async commit(redirected = false): Promise<readonly string[]> {
    if (!this.#keepsChanges()) return NO_COOKIES
    const cookies = await this.#sessionCookies(redirected)
    if (this.#leftWith === null && this.#signedIn === null) return cookies
    const sentCookies = this.#request.cookie
    const { returns } = this.#dependencies
    if (this.#leftWith !== null) {
      const stateCookie = returns.remember(sentCookies, this.#leftWith)
      return stateCookie === null ? cookies : [...cookies, stateCookie]
    }
    // The states are forgotten, because a `state` is valid for one sign-in.
    return this.#isReturn() ? [...cookies, returns.forget()] : cookies
  }

  async #sessionCookies(redirected: boolean): Promise<readonly string[]> {
    const mustSendCookie = await this.#writeRow(redirected)
    const ticket = this.#ticket
    const sentCookies = this.#request.cookie
    if (ticket === null) return this.#signedOut ? this.#removalCookies(sentCookies) : NO_COOKIES
    const rules = this.#cookieRules()
    const { tickets } = this.#dependencies
    const lifetimeSeconds = this.#lifetime() * 60
    const secret = this.#secret ?? PLACEHOLDER_SECRET
    const csrfCookie = readCookie(sentCookies, TOKEN_COOKIE)
    const hasValidCookie = csrfCookie !== null && isTokenOf(secret, csrfCookie)
    const cookies: string[] = []
    if (mustSendCookie || this.#renewed)
      cookies.push(formatCookie(SESSION_COOKIE, tickets.write(ticket), lifetimeSeconds, rules))
    if (cookies.length > 0 || (this.tokens.length > 0 && !hasValidCookie)) {
      cookies.push(formatCookie(TOKEN_COOKIE, hasValidCookie ? csrfCookie : maskToken(secret), lifetimeSeconds, rules))
    }
    if (this.#signedIn !== null && this.user !== null) {
      const device = this.#dependencies.devices.remember(this.device, this.user.email)
      cookies.push(formatCookie(DEVICE_COOKIE, device, DEVICE_LIFETIME, rules))
    }
    return cookies
  }

  /** Writes the row if needed. Returns whether the session cookie must be sent. */
  async #writeRow(redirected: boolean): Promise<boolean> {
    const { rows, tickets } = this.#dependencies
    const pendingChange = this.#buildChange(redirected)
    // Beyond the limit, the page is still served but its session data is dropped.
    const isKept =
      pendingChange === null ||
      !this.#needsNewRow() ||
      this.#dependencies.rowLimit.admits(this.#request, this.#sentValidCookie)
    const change = isKept ? pendingChange : null
    if (this.#signedIn !== null || (change !== null && this.#rowKey === null)) {
      if (this.#ticket === null) this.#startFresh()
      const ticket = this.#ticket
      if (ticket !== null && ticket.kind === 'fresh') this.#ticket = tickets.toStoredTicket(ticket)
      const newRow = {
        userId: this.#signedIn?.userId ?? null,
        csrf: this.#secret ?? PLACEHOLDER_SECRET,
        minutes: this.#lifetime(),
        trial:
          this.#signedIn === null && !this.#sentValidCookie
            ? Math.min(this.#lifetime(), TRIAL_MINUTES)
            : this.#lifetime(),
      }
      await rows.create(this.#rowKey ?? '', newRow, change ?? EMPTY_CHANGE, this.#rowsToRemove)
      return true
    }
    if (this.#rowsToRemove.length > 0) await rows.remove(this.#rowsToRemove)
    if (this.#ticket?.kind === 'fresh') {
      const minute = Math.floor(this.#dependencies.now() / 60_000)
      if (!this.#isOld(minute - this.#ticket.minute)) return false
      this.#ticket = { ...this.#ticket, minute }
      return true
    }
    const isVisitDue = this.#row !== null && this.#isOld(this.#row.age)
    if (this.#rowKey === null || (change === null && !isVisitDue)) return false
    try {
      return (await rows.change(this.#rowKey, change ?? EMPTY_CHANGE)) && isVisitDue
    } catch (error) {
      // An unrecorded visit, or a message that is shown again, does not justify withholding a page.
      if (!(error instanceof SessionsAway) || this.#changes !== null || this.#newMessages !== null) throw error
      return false
    }
  }

  /** Whether a change would create a row for a visitor who is not signed in. */
  #needsNewRow(): boolean {
    return this.#rowKey === null && this.#signedIn === null
  }

  #buildChange(redirected: boolean): RowChange | null {
    const storedFlash = this.#row?.flash ?? {}
    const shownMessages = this.#flashRead && !redirected && Object.keys(storedFlash).length > 0 ? storedFlash : null
    // Without the token, nothing of a signed-in user's session is changed, except that the user gets the messages.
    const changes = (this.#suspended?.user ?? null) === null ? this.#changes : null
    if (changes === null && this.#newMessages === null && shownMessages === null) return null
    const set: Record<string, string> = {}
    const removedFields: string[] = []
    for (const [field, value] of changes ?? []) {
      if (value === undefined) removedFields.push(field)
      else setKey(set, field, value)
    }
    return { set, removed: removedFields, shown: shownMessages, flash: this.#newMessages ?? {} }
  }

  #isOld(minutes: number): boolean {
    return minutes > Math.min(this.#lifetime() * TOUCH_SHARE, TOUCH_MINUTES)
  }

  #lifetime(): number {
    return this.#signedIn?.minutes ?? (this.#row ?? this.#suspended)?.minutes ?? this.#dependencies.timeoutInMinutes
  }

  #startFresh(): void {
    const { tickets } = this.#dependencies
    this.#ticket = tickets.fresh()
    this.#secret = tickets.deriveCsrfSecret(this.#ticket)
    this.#renewed = true
  }

  /**
   * Drops the open session and its row with all fields. A sign-in sets the fields again. Messages for the next request
   * are kept.
   */
  #clear(): void {
    const row = this.#rowKey
    if (row !== null) this.#rowsToRemove.push(row)
    this.#suspended = null
    this.#ticket = null
    this.#secret = null
    this.#csrfToken = null
    this.#flash = this.#messages()
    this.#row = null
    this.#changes = null
    this.#signedIn = null
    this.#renewed = false
    // Emptied in place, because templates hold a reference to this object.
    for (const field of Object.keys(this.values)) removeKey(this.values, field)
  }

  #messages(): Flash {
    if (this.#flash === null) {
      const { form: _, ...messages } = this.#row?.flash ?? {}
      this.#flash = messages
    }
    return this.#flash
  }

  #pendingChanges(): SessionChanges {
    this.#changes ??= new Map()
    return this.#changes
  }

  async #existingUser(userId: string): Promise<CurrentUser> {
    const user = await this.#dependencies.rows.user(userId)
    if (user === null) throw new LiquidFault(`there is no user ${userId.slice(0, 40)}`)
    return user
  }

  #cookieRules(): CookieRules {
    return { sameSite: this.#dependencies.sameSite, secure: this.#request.protocol === 'https' }
  }

  #removalCookies(sentCookies: string): readonly string[] {
    return [SESSION_COOKIE, TOKEN_COOKIE]
      .filter((name) => readCookie(sentCookies, name) !== null)
      .map((name) => formatCookie(name, '', 0, this.#cookieRules()))
  }
}

function publicIdOf(secret: Buffer): string {
  return createHmac('sha256', secret).update('session id').digest('hex').slice(0, 32)
}

const ADVICE =
  'If that other site is yours, add its host to INGOT_HOSTS. If it is a sign-in provider that sends visitors back with a POST, redirect them to the provider from a page of this site, with a `state` in the URL.'
const NONE: readonly string[] = []
const NO_COOKIES: readonly string[] = []
const EMPTY_CHANGE: RowChange = { set: {}, removed: [], shown: null, flash: {} }
/** Placeholder that never protects a session: every started session has a real secret. */
const PLACEHOLDER_SECRET: Buffer = Buffer.alloc(SECRET_BYTES)
