/** Mutations of the visitor's session: its fields, signing in and signing out. */
import { QueryError, type SessionHost } from '../../../../runtime/data/query/index.ts'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { type Session, UNREMEMBERED_MINUTES } from '../../site/session.ts'
import type { AccountServices } from './accounts.ts'
import type { AccountTokens } from './account-tokens.ts'

export interface SessionParts {
  /** Null for jobs and for clients with a token. */
  readonly session: Session | null
  readonly services: AccountServices
  readonly tokens: AccountTokens
  /** Password hash of an existing user, null inside when the user has no password; null without such a user. */
  readonly passwordOf: (userId: string) => Promise<{ readonly password: string | null } | null>
  /** Changes the acting user for the rest of the request. */
  readonly becomes: (userId: string | null) => void
}

/** The session functions for one request. */
export function createSessionHost({ session, services, tokens, passwordOf, becomes }: SessionParts): SessionHost {
  function requireSession(): Session {
    if (session !== null) return session
    throw problem('There is no session here: only requests of visitors to pages have one.')
  }

  return {
    setField(name, value) {
      const of = requireSession()
      withQueryErrors(() => of.set(name, value))
      return Object.fromEntries([[name, Object.hasOwn(of.values, name) ? of.values[name] : null]])
    },
    async signIn(email, password, remember) {
      const of = requireSession()
      if (services.signInByPassword === null) throw problem('Nobody can sign in here.')
      if (!of.admitsSignIn()) throw problem('A page of another site has sent the request, so it did not sign in.')
      const outcome = await services.signInByPassword(email, password, of.address, of.device)
      if ('refused' in outcome) {
        if (outcome.refused === 'wrong') throw problem('The e-mail address or the password is wrong.')
        throw problem(`There were too many attempts to sign in: try again in ${outcome.retryAfter} seconds.`)
      }
      await withQueryErrors(() => of.signIn(outcome.user, remember ? null : UNREMEMBERED_MINUTES))
      becomes(outcome.user)
    },
    async signOut() {
      await requireSession().signOut()
      becomes(null)
    },
    async signInByToken(token, algorithm) {
      const id = await tokens.claimedBy(token)
      const account = id === null ? null : await passwordOf(id)
      if (id === null || account === null || !(await tokens.isJwt({ id, ...account }, token, algorithm)))
        throw problem('The token is of nobody, has ended, or its account has another password since.')
      // For this request only: a client with a token has no session.
      if (session !== null) await withQueryErrors(() => session.actAs(id))
      becomes(id)
    },
  }
}

/** Converts template faults to query errors. */
function withQueryErrors<T>(steps: () => T): T {
  const converted = (error: unknown): unknown => (error instanceof LiquidFault ? problem(error.message) : error)
  try {
    const done = steps()
    return done instanceof Promise
      ? (done.catch((error: unknown) => {
          throw converted(error)
        }) as T)
      : done
  } catch (error) {
    throw converted(error)
  }
}

function problem(message: string): QueryError {
  return new QueryError([{ code: 'value', message, at: null, hint: null }])
}
