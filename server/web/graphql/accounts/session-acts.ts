/** Mutations that change the visitor's session: setting fields, signing in and signing out. */
import type { SessionHost } from '../../../../runtime/data/query/index.ts'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { type Session, UNREMEMBERED_MINUTES } from '../../site/session.ts'
import type { AccountServices } from './accounts.ts'
import type { AccountTokens } from './account-tokens.ts'
import { valueError } from '../../../../runtime/data/query/model.ts'

export interface SessionActDependencies {
  /** Null for jobs and for clients with a token. */
  readonly session: Session | null
  readonly services: AccountServices
  readonly tokens: AccountTokens
  /**
   * Returns the password hash of a user, or null without such a user. The hash is null for a user without a password.
   */
  readonly passwordOf: (userId: string) => Promise<{ readonly password: string | null } | null>
  /** Changes the acting user for the rest of the request. */
  readonly setViewer: (userId: string | null) => void
}

/** Creates the session functions of one request. */
export function createSessionHost({
  session,
  services,
  tokens,
  passwordOf,
  setViewer: becomes,
}: SessionActDependencies): SessionHost {
  function requireSession(): Session {
    if (session !== null) return session
    throw valueError('There is no session: only requests for pages have one.')
  }

  return {
    setField(name, value) {
      const current = requireSession()
      try {
        current.set(name, value)
      } catch (error) {
        throw toQueryError(error)
      }
      return Object.fromEntries([[name, Object.hasOwn(current.values, name) ? current.values[name] : null]])
    },
    async signIn(email, password, remember) {
      const current = requireSession()
      if (services.signInByPassword === null) throw valueError('Signing in is not available here.')
      if (!current.admitsSignIn())
        throw valueError('The request came from a page of another site, so no one was signed in.')
      const outcome = await services.signInByPassword(email, password, current.address, current.device)
      if ('refused' in outcome) {
        if (outcome.refused === 'wrong') throw valueError('The e-mail address or the password is wrong.')
        throw valueError(`There were too many attempts to sign in: try again in ${outcome.retryAfter} seconds.`)
      }
      await withQueryErrors(() => current.signIn(outcome.user, remember ? null : UNREMEMBERED_MINUTES))
      becomes(outcome.user)
    },
    async signOut() {
      await requireSession().signOut()
      becomes(null)
    },
    async signInByToken(token, algorithm) {
      const id = await tokens.readUnverifiedId(token)
      const account = id === null ? null : await passwordOf(id)
      if (id === null || account === null || !(await tokens.isJwt({ id, ...account }, token, algorithm)))
        throw valueError('The token is invalid or has expired, or the password of its account has changed.')
      // Applies to this request only, because a client with a token has no session.
      if (session !== null) await withQueryErrors(() => session.actAs(id))
      becomes(id)
    },
  }
}

/** Runs steps and converts template faults to query errors. */
async function withQueryErrors<T>(steps: () => T | Promise<T>): Promise<T> {
  try {
    return await steps()
  } catch (error) {
    throw toQueryError(error)
  }
}

function toQueryError(error: unknown): unknown {
  return error instanceof LiquidFault ? valueError(error.message) : error
}
