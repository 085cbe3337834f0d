/** Signs users in by e-mail and password. The steps and their duration do not depend on whether the user exists. */
import { prepared, sql } from '../../../runtime/data/sql/sql.ts'
import { replaceLoneSurrogates } from '../../../runtime/page/values/well-formed.ts'
import { network } from '../http/network.ts'
import { Crowded } from '../site/session.ts'
import type { Attempts } from './attempts.ts'
import type { RunAccountStatement } from './database.ts'
import { hashPassword, isImported, refuseCrowd, verifyPassword } from './passwords.ts'

export type SignIn =
  | { readonly user: string }
  | { readonly refused: 'wrong' }
  /** `retryAfter` is in seconds. */
  | { readonly refused: 'limited'; readonly retryAfter: number }

/**
 * Checks the credentials; the caller starts the session.
 * @param address IP address of the visitor
 * @param device the visitor's cookie of known devices
 * @throws SessionsAway
 */
export type SignInByPassword = (
  email: string,
  password: string,
  address: string,
  device?: string | null,
) => Promise<SignIn>

const FIND = prepared<[email: string]>(
  (email) =>
    sql`select id::text, encrypted_password from ingot.users where lower(email) = lower(${email}) and deleted_at is null`,
)
// Replaces the hash, unless the password was changed in the meantime.
const RENEW = prepared<[id: string, stored: string, renewed: string]>(
  (id, stored, renewed) => sql`update ingot.users set encrypted_password = ${renewed}
    where id = ${id}::bigint and encrypted_password = ${stored}`,
)
/** Most characters of a password; hashing longer ones would waste time. */
const MAX_PASSWORD = 4_096

export function createSignIn(ask: RunAccountStatement, attempts: Attempts): SignInByPassword {
  const signIn: SignInByPassword = async (email, password, address, device = null) => {
    const from = network(address)
    // Asked before the attempt is counted.
    refuseCrowd(from)
    // The database rejects NUL, and no stored e-mail address contains one.
    const account = replaceLoneSurrogates(email.trim().replaceAll('\0', '\ufffd'))
    const free = await attempts.check(address, account, device)
    if (free !== 'free') return { refused: 'limited', retryAfter: free.retryAfter }
    const [[id, stored] = []] = await ask(FIND(account), 'read')
    const known = typeof stored === 'string' ? stored : null
    const right = await verifyPassword(known, password.slice(0, MAX_PASSWORD), from)
    if (!right || typeof id !== 'string' || password.length > MAX_PASSWORD) return { refused: 'wrong' }
    await attempts.succeeded(address, account, device)
    if (known !== null && isImported(known)) await ask(RENEW(id, known, await hashPassword(password)), 'write')
    return { user: id }
  }
  return async (...given) => {
    try {
      return await signIn(...given)
    } catch (error) {
      if (error instanceof Crowded) return { refused: 'limited', retryAfter: error.retryAfter }
      throw error
    }
  }
}
