/** The session of one request: what it reads, and what it writes when the request ends. */
import { createHmac, randomBytes } from 'node:crypto'
import { LiquidFault } from '../../../runtime/page/fault.ts'
import { wellFormed } from '../../../runtime/page/values/well-formed.ts'
import { entries, hashSize, removeKey, setKey } from '../../../runtime/page/values/hash.ts'
import { parseJson, toJson } from '../../../runtime/page/values/json.ts'
import { isBlank } from '../../../runtime/page/values/truth.ts'
import type { Logger } from '../../core/contracts/log.ts'
import { isForeign, senderOf } from '../http/foreign.ts'
import type { Request } from '../http/message.ts'
import { network } from '../http/network.ts'
import type { Params } from '../http/params.ts'
import { type CurrentUser, type FlashKind, type Session, SessionsAway } from '../site/session.ts'
import type { AttemptResult, Attempts } from './attempts.ts'
import { type CookieRules, cookieOf, SESSION_COOKIE, setCookie, TOKEN_COOKIE } from './cookies.ts'
import { isTokenOf, maskedToken, SECRET_BYTES } from './csrf.ts'
import { DEVICE_COOKIE, DEVICE_LIFETIME, type Devices } from './devices.ts'
import type { NewRows } from './new-rows.ts'
import type { Returns } from './returns.ts'
import type { Flash, RowChange, SessionRow, SessionRows } from './rows.ts'
import { rowOf, type Ticket, type Tickets } from './tickets.ts'

export interface SessionParts {
  readonly rows: SessionRows
  readonly tickets: Tickets
  readonly devices: Devices
  readonly attempts: Attempts
  readonly newRows: NewRows
  readonly returns: Returns
  /** Whether a host is another name of the site. */
  readonly isOurs: (host: string) => boolean
  readonly logger: Logger | undefined
  /** Lifetime since the last visit, unless the sign-in sets another one. */
  readonly timeoutInMinutes: number
  readonly sameSite: CookieRules['sameSite']
  /** The current time in milliseconds. */
  readonly now: () => number
}

/** The session that a cookie names. */
export interface SessionLookup {
  readonly ticket: Ticket
  readonly secret: Buffer
  readonly row: SessionRow | null
}

/** A storable name of bounded length: field names may come from visitors, so NUL and lone surrogates are excluded. */
const NAME = /^[^\0\p{Surrogate}]{1,200}$/u
const MAX_FIELDS = 200
/** Most characters that a field may have as JSON. */
const MAX_FIELD = 256 * 1024
const MAX_MESSAGE = 4_096
/** JSON escapes that the database cannot store: NUL and surrogates. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi
/** Ten years, in minutes. */
const MAX_LIFETIME = 10 * 525_960
/** A visit is recorded only after this part of the lifetime, or after an hour, to save writes. */
const TOUCH_PART = 1 / 10
const TOUCH_MINUTES = 60
/** Robots keep no cookies and come often, so a session whose visitor does not return is removed after a day. */
const TRIAL_MINUTES = 1_440

/** Changes that are not written yet; undefined marks a removed field. */
type SessionChanges = Map<string, string | undefined>

/** The session of one request. */
export class VisitorSession implements Session {
  user: CurrentUser | null = null
  csrfValid: boolean
  reads = 0
  readonly #parts: SessionParts
  readonly #request: Request
  readonly #params: Params
  /** Whether the request holds what no page of another site can send: the CSRF token of the session, or an API token. */
  #proven: boolean
  readonly #program: boolean
  #signUp: Promise<AttemptResult> | null = null
  #token: string | null = null
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
  /** Whether the visitor sent a valid session cookie, and so does keep cookies. */
  #known = false
  #renewed = false
  /** The secret of the session whose cookie was sent. */
  #sent: Buffer | null = null
  /** The `state` with which the visitor leaves for another site. */
  #leftWith: string | null = null

  constructor(
    parts: SessionParts,
    request: Request,
    params: Params,
    csrfValid: boolean,
    proven: boolean,
    program: boolean,
  ) {
    this.#parts = parts
    this.#request = request
    this.#params = params
    this.csrfValid = csrfValid
    this.#proven = proven
    this.#program = program
  }

  /** Notes whose cookie it is, whether or not the request may use its session. */
  recognize({ secret }: SessionLookup): void {
    this.#sent = secret
  }

  /** Continues the session of the cookie. */
  resume({ ticket, secret, row }: SessionLookup): void {
    this.csrfValid = true
    this.#proven = true
    this.#known = true
    this.#ticket = ticket
    this.#secret = secret
    this.#row = row
    this.user = row?.user ?? null
  }

  /** Ends a session whose token the request does not hold, and starts a new one. */
  discard(ticket: Ticket): void {
    if (ticket.kind === 'stored') this.#rowsToRemove.push(rowOf(ticket))
    this.#begin()
  }

  get values(): Record<string, unknown> {
    this.#values ??= this.#row?.fields ?? {}
    return this.#values
  }

  keepForm(text: string): boolean {
    const isFull = this.#beginsRow() && this.#parts.newRows.isFull(this.address, this.#known)
    if (isFull || !this.#isKept()) return false
    this.#newMessages = { ...this.#newMessages, form: wellFormed(text) }
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
    return this.#program ? null : network(this.address)
  }

  signUp(): Promise<AttemptResult> {
    this.#signUp ??= this.#program ? Promise.resolve('free') : this.#parts.attempts.signUp(this.address)
    return this.#signUp
  }

  get device(): string | null {
    return cookieOf(this.#request.cookie, DEVICE_COOKIE)
  }

  get row(): string | null {
    return this.#ticket?.kind === 'stored' ? rowOf(this.#ticket) : null
  }

  csrfToken(): string {
    if (this.#token !== null) return this.#token
    if (this.#secret === null) this.#begin()
    this.#token = maskedToken(this.#secret ?? NO_SECRET)
    this.#tokens = [...this.tokens, this.#token]
    return this.#token
  }

  id(): string {
    // An answer that shows the id must not be cached for others; creating a token marks it so.
    this.csrfToken()
    return idOf(this.#secret ?? NO_SECRET)
  }

  get knownId(): string | null {
    const secret = this.#sent ?? this.#secret
    return secret === null ? null : idOf(secret)
  }

  set(field: string, value: unknown): void {
    if (!NAME.test(field)) throw new LiquidFault('session: a field needs a name that can be stored')
    if (isBlank(value)) {
      if (!Object.hasOwn(this.values, field)) return
      removeKey(this.values, field)
      if (this.#row === null) this.#takeBack(field)
      else this.#pendingChanges().set(field, undefined)
      return
    }
    // Converted to JSON and back now, so that this request reads the same value as later ones.
    const json = toJson(value).replace(UNSTORABLE, '$1\ufffd')
    if (json.length > MAX_FIELD) throw new LiquidFault(`session: '${field}' is longer than ${MAX_FIELD} characters`)
    if (!Object.hasOwn(this.values, field) && hashSize(this.values) >= MAX_FIELDS)
      throw new LiquidFault(`session: there are ${MAX_FIELDS} fields already`)
    setKey(this.values, field, parseJson(json))
    this.#pendingChanges().set(field, json)
  }

  /** Forgets a field of this request, so that a session with nothing to keep gets no row. */
  #takeBack(field: string): void {
    this.#changes?.delete(field)
    if (this.#changes?.size === 0) this.#changes = null
  }

  addFlash(kind: FlashKind, text: string, now = false): void {
    const message = wellFormed(text.trim().replaceAll('\0', '').slice(0, MAX_MESSAGE))
    if (message === '') return
    if (now) this.#messages()[kind] = message
    else this.#newMessages = { ...this.#newMessages, [kind]: message }
  }

  admitsSignIn(): boolean {
    if (!this.#isForeign() || this.#isReturn()) return true
    const { method, path, id } = this.#request
    const sender = JSON.stringify(senderOf(this.#request).slice(0, 200))
    const what = `${method} ${path} did not sign in: a page of another site has sent it, ${sender}.`
    this.#parts.logger?.warn({ id }, `${what} ${WHAT_TO_DO}`)
    return false
  }

  leaveWith(state: string): void {
    this.#leftWith = state
  }

  /** Whether a page of another site has sent the request, to change something. */
  #isForeign(): boolean {
    return !this.#proven && isForeign(this.#request, this.#parts.isOurs)
  }

  /**
   * Whether something of this request is kept. Browsers send no `SameSite=Lax` cookie for a page of another site, so the
   * visitor may have a session that we do not see, and a cookie of ours would take its place.
   */
  #isKept(): boolean {
    return this.#signedIn !== null || !this.#isForeign()
  }

  /** Whether the visitor comes back from another site with a `state` that this browser left with. */
  #isReturn(): boolean {
    return this.#parts.returns.knows(this.#request.cookie, this.#params.state)
  }

  async signIn(userId: string, timeoutInMinutes: number | null): Promise<void> {
    if (!this.admitsSignIn()) return
    const user = await this.#existingUser(userId)
    const minutes = timeoutInMinutes ?? this.#parts.timeoutInMinutes
    if (!(minutes > 0)) throw new LiquidFault('sign_in: timeout_in_minutes must be above zero')
    const kept = entries(this.values)
    // Messages that were not shown yet are kept. The values of a form are not: another person may have sent it.
    if (this.#row !== null && !this.#flashRead) {
      const { form: _, ...messages } = this.#row.flash
      this.#newMessages = { ...messages, ...this.#newMessages }
    }
    this.#clear()
    this.#ticket = this.#parts.tickets.stored()
    this.#secret = randomBytes(SECRET_BYTES)
    this.#signedIn = { userId: user.id, minutes: Math.min(minutes, MAX_LIFETIME) }
    this.user = user
    for (const [field, value] of kept) this.set(field, value)
  }

  async actAs(userId: string): Promise<void> {
    this.user = await this.#existingUser(userId)
  }

  async signOut(): Promise<void> {
    this.#clear()
    this.#signedOut = true
    this.user = null
    await this.#parts.rows.remove(this.#rowsToRemove)
    this.#rowsToRemove = []
  }

  get isUntouched(): boolean {
    if (this.#ticket !== null || this.#row !== null || this.#signedOut || this.#leftWith !== null) return false
    return this.#changes === null && this.#newMessages === null && this.#rowsToRemove.length === 0
  }

  async commit(redirected = false): Promise<readonly string[]> {
    if (!this.#isKept()) return NO_COOKIES
    const cookies = await this.#sessionCookies(redirected)
    if (this.#leftWith === null && this.#signedIn === null) return cookies
    const sent = this.#request.cookie
    const { returns } = this.#parts
    if (this.#leftWith !== null) {
      const leaving = returns.remember(sent, this.#leftWith)
      return leaving === null ? cookies : [...cookies, leaving]
    }
    // A `state` is for one sign-in.
    return this.#isReturn() ? [...cookies, returns.forget()] : cookies
  }

  async #sessionCookies(redirected: boolean): Promise<readonly string[]> {
    const written = await this.#write(redirected)
    const ticket = this.#ticket
    const sent = this.#request.cookie
    if (ticket === null) return this.#signedOut ? this.#removalCookies(sent) : NO_COOKIES
    const rules = this.#cookieRules()
    const { tickets } = this.#parts
    const life = this.#lifetime() * 60
    const secret = this.#secret ?? NO_SECRET
    const known = cookieOf(sent, TOKEN_COOKIE)
    const holds = known !== null && isTokenOf(secret, known)
    const cookies: string[] = []
    if (written || this.#renewed) cookies.push(setCookie(SESSION_COOKIE, tickets.write(ticket), life, rules))
    if (cookies.length > 0 || (this.tokens.length > 0 && !holds)) {
      cookies.push(setCookie(TOKEN_COOKIE, holds ? known : maskedToken(secret), life, rules))
    }
    if (this.#signedIn !== null && this.user !== null) {
      const device = this.#parts.devices.remember(this.device, this.user.email)
      cookies.push(setCookie(DEVICE_COOKIE, device, DEVICE_LIFETIME, rules))
    }
    return cookies
  }

  /** Writes the row when there is something to write. Returns whether the session cookie must be sent. */
  async #write(redirected: boolean): Promise<boolean> {
    const { rows, tickets } = this.#parts
    const changed = this.#change(redirected)
    // Beyond the limit the page is answered, and what it keeps is not.
    const isKept = changed === null || !this.#beginsRow() || this.#parts.newRows.admits(this.#request, this.#known)
    const change = isKept ? changed : null
    if (this.#signedIn !== null || (change !== null && this.row === null)) {
      if (this.#ticket === null) this.#begin()
      const fresh = this.#ticket
      if (fresh !== null && fresh.kind === 'fresh') this.#ticket = tickets.storedOf(fresh)
      const start = {
        userId: this.#signedIn?.userId ?? null,
        csrf: this.#secret ?? NO_SECRET,
        minutes: this.#lifetime(),
        trial: this.#signedIn === null && !this.#known ? Math.min(this.#lifetime(), TRIAL_MINUTES) : this.#lifetime(),
      }
      await rows.make(this.row ?? '', start, change ?? NO_CHANGE, this.#rowsToRemove)
      return true
    }
    if (this.#rowsToRemove.length > 0) await rows.remove(this.#rowsToRemove)
    if (this.#ticket?.kind === 'fresh') {
      const minute = Math.floor(this.#parts.now() / 60_000)
      if (!this.#isOld(minute - this.#ticket.minute)) return false
      this.#ticket = { ...this.#ticket, minute }
      return true
    }
    const touched = this.#row !== null && this.#isOld(this.#row.age)
    if (this.row === null || (change === null && !touched)) return false
    try {
      return (await rows.change(this.row, change ?? NO_CHANGE)) && touched
    } catch (error) {
      // A visit that is not noted, and a message that is shown once more, do not justify withholding a page.
      if (!(error instanceof SessionsAway) || this.#changes !== null || this.#newMessages !== null) throw error
      return false
    }
  }

  /** Whether something to keep would begin a row, of a visitor who is not signed in. */
  #beginsRow(): boolean {
    return this.row === null && this.#signedIn === null
  }

  #change(redirected: boolean): RowChange | null {
    const before = this.#row?.flash ?? {}
    const shown = this.#flashRead && !redirected && Object.keys(before).length > 0 ? before : null
    if (this.#changes === null && this.#newMessages === null && shown === null) return null
    const set: Record<string, string> = {}
    const removed: string[] = []
    for (const [field, value] of this.#changes ?? []) {
      if (value === undefined) removed.push(field)
      else setKey(set, field, value)
    }
    return { set, removed, shown, flash: this.#newMessages ?? {} }
  }

  #isOld(minutes: number): boolean {
    return minutes > Math.min(this.#lifetime() * TOUCH_PART, TOUCH_MINUTES)
  }

  #lifetime(): number {
    return this.#signedIn?.minutes ?? this.#row?.minutes ?? this.#parts.timeoutInMinutes
  }

  #begin(): void {
    const { tickets } = this.#parts
    this.#ticket = tickets.fresh()
    this.#secret = tickets.secretOf(this.#ticket)
    this.#renewed = true
  }

  /**
   * Drops the open session and its row with all fields; a sign-in sets them again. Messages for the next request are
   * kept.
   */
  #clear(): void {
    const { row } = this
    if (row !== null) this.#rowsToRemove.push(row)
    this.#ticket = null
    this.#secret = null
    this.#token = null
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
    const user = await this.#parts.rows.user(userId)
    if (user === null) throw new LiquidFault(`there is no user ${userId.slice(0, 40)}`)
    return user
  }

  #cookieRules(): CookieRules {
    return { sameSite: this.#parts.sameSite, secure: this.#request.protocol === 'https' }
  }

  #removalCookies(sent: string): readonly string[] {
    return [SESSION_COOKIE, TOKEN_COOKIE]
      .filter((name) => cookieOf(sent, name) !== null)
      .map((name) => setCookie(name, '', 0, this.#cookieRules()))
  }
}

function idOf(secret: Buffer): string {
  return createHmac('sha256', secret).update('session id').digest('hex').slice(0, 32)
}

const WHAT_TO_DO =
  'Name its host in INGOT_HOSTS if it is yours. A provider that answers by POST needs a redirect to it from a page of the site, with a `state` in the address.'
const NONE: readonly string[] = []
const NO_COOKIES: readonly string[] = []
const NO_CHANGE: RowChange = { set: {}, removed: [], shown: null, flash: {} }
/** Placeholder that never secures a session: every started session has its own secret. */
const NO_SECRET: Buffer = Buffer.alloc(SECRET_BYTES)
