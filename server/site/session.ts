/** What a request knows of its visitor: the session behind the cookie, the signed-in user, the CSRF token and the flash. */
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

/** Life of a session whose visitor asked not to be remembered: a day since they were last seen. */
export const UNREMEMBERED_MINUTES = 1_440

export type FlashKind = 'notice' | 'alert'

/** The sessions of visitors cannot be reached: the answer is 503. */
export class SessionsAway extends Error {
  override readonly name = 'SessionsAway'
}

/** One request's session. Nothing is written, and no cookie is set, unless something changed or a token was given out. */
export interface Session {
  /** Null for nobody, and for a request that changes something without a valid CSRF token. */
  readonly user: CurrentUser | null
  /** What templates see as `context.session`; `set` changes it at once. */
  readonly values: Record<string, unknown>
  /** Messages that the last request left. Who reads them has shown them. */
  readonly flash: Readonly<Partial<Record<FlashKind, string>>>
  readonly csrfValid: boolean
  /** The tokens that this request has given out: what prints one is this visitor's only. */
  readonly tokens: readonly string[]
  /** How often templates have read who the visitor is, or what is kept for them: what they print from then on is this visitor's. */
  readonly reads: number
  /** Counts such a read, where there was something to be read. */
  noteRead(): void
  /** Address of the visitor. */
  readonly address: string
  /** Key of its row in `ingot.sessions`, in hex; null where it has none. */
  readonly row: string | null
  /** The token for forms of this answer, masked: another text in each answer. Begins a session where there is none. */
  csrfToken(): string
  /** What a template may call the session by: the same in all its requests, and no key to it. Begins a session where there is none. */
  id(): string
  /** Writes a field; nil and blank values delete it. @throws LiquidFault for what cannot be stored */
  set(field: string, value: unknown): void
  /** A message for the next request, or for this one where `now` says so. Blank ones are none. */
  say(kind: FlashKind, text: string, now?: boolean): void
  /** Keeps a refused form for the request that follows: it goes with the messages. */
  keepForm(text: string): void
  /** What the last request has kept so; null for nothing. */
  readonly keptForm: string | null
  /** Signs in: another session id and token; its values and messages stay. @throws LiquidFault for a user who is not there */
  signIn(userId: string, timeoutInMinutes: number | null): Promise<void>
  /** Makes a user the visitor of this request only; nothing of it is kept. @throws LiquidFault for a user who is not there */
  actAs(userId: string): Promise<void>
  /** Ends the session. */
  signOut(): Promise<void>
  /**
   * Writes what changed. Gives the values of `set-cookie`. Called once, before the answer is sent.
   * @param redirected the answer sends the visitor on: messages stay for the request that follows
   */
  commit(redirected?: boolean): Promise<readonly string[]>
}

/** Opens the session of a request. `params` hold the CSRF token of a form. @throws SessionsAway */
export type OpenSession = (request: Request, params: Params) => Promise<Session>
