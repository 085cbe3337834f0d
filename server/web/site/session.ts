/** The session of a request: its stored fields, the signed-in user, the CSRF token and the flash messages. */
import type { Request } from '../http/message.ts'
import type { Params } from '../http/params.ts'

export interface CurrentUser {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly slug: string
  readonly external_id: string | null
  readonly language: string | null
}

/** Minutes that a session lives without a visit when the visitor asked not to be remembered: one day. */
export const UNREMEMBERED_MINUTES = 1_440

export type FlashKind = 'notice' | 'alert'

/** The error when sessions are unavailable. The answer has the status 503. */
export class SessionsAway extends Error {
  override readonly name = 'SessionsAway'
}

/** The error when too many passwords wait to be hashed. */
export class Crowded extends Error {
  override readonly name = 'Crowded'
  /** @param retryAfter seconds */
  constructor(readonly retryAfter: number) {
    super('too many passwords wait to be hashed')
  }
}

/**
 * The session of one request. Nothing is written and no cookie is set unless something changed or a token was issued.
 */
export interface Session {
  /** Null when no user is signed in, and in a changing request without a valid CSRF token. */
  readonly user: CurrentUser | null
  /** The value of `context.session`; `set` changes it at once. */
  readonly values: Record<string, unknown>
  /** Messages of the previous request. Reading marks them as shown. */
  readonly flash: Readonly<Partial<Record<FlashKind, string>>>
  readonly csrfValid: boolean
  /** Why the request may not use the session of its cookie, as a part of a sentence for developers; null when it may. */
  readonly tokenProblem: string | null
  /** Tokens issued by this request. Output that contains a token belongs to this visitor. */
  readonly tokens: readonly string[]
  /** How often templates have read the user or session fields; what they print afterwards may depend on the visitor. */
  readonly reads: number
  /** Counts a read of the user or a session field. A session without data is not counted. */
  countRead(): void
  /** IP address of the visitor. */
  readonly address: string
  /** The network of the visitor's address, which shares limits. Null for a client with a token. */
  readonly network: string | null
  /**
   * Requests permission to create a user with a password. The number is limited for each network. A request counts once,
   * however many users it creates.
   * @returns the seconds to wait, when there were too many
   * @throws SessionsAway
   */
  signUp(): Promise<'free' | { readonly retryAfter: number }>
  /** The cookie that identifies a device that signed in before; null without one. */
  readonly device: string | null
  /** Key of the row in `ingot.sessions`, in hex; null when there is none. */
  readonly row: string | null
  /**
   * The CSRF token for forms of this answer, masked differently in each answer. Starts a session when there is none.
   */
  csrfToken(): string
  /**
   * An identifier that is the same in all requests of the session but gives no access to it. Starts a session when
   * there is none.
   */
  id(): string
  /** Returns the identifier without starting a session. Null when the visitor has sent no valid session. */
  readonly knownId: string | null
  /**
   * Sets a field; nil and blank values delete it.
   * @throws LiquidFault for values that cannot be stored
   */
  set(field: string, value: unknown): void
  /** Adds a message for the next request, or for this one if `now`. Blank ones are ignored. */
  addFlash(kind: FlashKind, text: string, now?: boolean): void
  /**
   * Stores a refused form for the next request, like a flash message. Returns false when changes of this request are
   * not stored.
   */
  storeRefusedForm(text: string): boolean
  /** The refused form that the previous request stored, or null. */
  readonly keptForm: string | null
  /**
   * Returns whether this request may sign a user in. Requests from pages of other sites may not: such a page could sign its
   * visitors in as a user of its choice. A refusal is logged.
   */
  admitsSignIn(): boolean
  /**
   * Records that the answer sends the visitor to another site with this `state`. A POST that returns it may sign a user in.
   */
  leaveWith(state: string): void
  /**
   * Signs a user in, with a new session id and token; fields and messages are kept. Does nothing in a request that
   * `admitsSignIn` refuses.
   * @throws LiquidFault for a user who does not exist
   */
  signIn(userId: string, timeoutInMinutes: number | null): Promise<void>
  /**
   * Changes the signed-in user for this request only.
   * @param keepsNothing whether nothing of the session is stored and no cookie is set, as for a client with a token
   * @throws LiquidFault for a user who does not exist
   */
  actAs(userId: string, keepsNothing?: boolean): Promise<void>
  /** Ends the session. */
  signOut(): Promise<void>
  /** Whether there is nothing to write: the visitor has sent no session, and none was started. */
  readonly isUntouched: boolean
  /**
   * Writes the changes and returns the values for `set-cookie`. Called once, before the answer is sent. A request that a
   * page of another site has sent to change something leaves the session unchanged and gets no cookie, unless it signs in.
   * @param redirected whether the answer redirects: messages are then kept for the next request
   */
  commit(redirected?: boolean): Promise<readonly string[]>
}

/**
 * Opens the session of a request; synchronously when the visitor has sent no session.
 * @param params parameters of the request, which may contain the CSRF token of a form
 * @param isApiClient whether a client with a valid token has sent the request
 * @throws SessionsAway
 */
export type OpenSession = (request: Request, params: Params, isApiClient?: boolean) => Session | Promise<Session>
