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

export type FlashKind = 'notice' | 'alert'

/** One request's session. Nothing is written, and no cookie is set, unless something changed or a token was given out. */
export interface Session {
  /** Null for nobody, and for a request that changes something without a valid CSRF token. */
  readonly user: CurrentUser | null
  /** What templates see as `context.session`; `set` changes it at once. */
  readonly values: Record<string, unknown>
  /** Messages that the last request left. */
  readonly flash: Readonly<Partial<Record<FlashKind, string>>>
  readonly csrfValid: boolean
  /** The token for forms of this answer, masked: another text each time. Begins a session where there is none. */
  csrfToken(): string
  /** Writes a field; nil and blank values delete it. */
  set(field: string, value: unknown): void
  /** A message for the next request, or for this one where `now` says so. */
  say(kind: FlashKind, text: string, now?: boolean): void
  /** Signs in: another session id, and of the old values only language and flash. @throws Error for a user who is not there */
  signIn(userId: string, timeoutInMinutes: number | null): Promise<void>
  /** Ends the session. */
  signOut(): Promise<void>
  /** Writes what changed. Gives the values of `set-cookie`. Called once, before the answer is sent. */
  commit(): Promise<readonly string[]>
}

/** Opens the session of a request. `params` hold the CSRF token of a form. */
export type OpenSession = (request: Request, params: Params) => Promise<Session>
