/** Signs users in by email and password. The steps and their duration do not depend on whether the user exists. */
import { prepared, sql } from '../../../runtime/data/sql/sql.ts'
import { replaceLoneSurrogates } from '../../../runtime/page/values/well-formed.ts'
import { network } from '../http/network.ts'
import { Crowded } from '../site/session.ts'
import type { Attempts } from './attempts.ts'
import type { RunAccountStatement } from './run-statement.ts'
import { hashPassword, isImportedHash, requireRoom, verifyPassword } from './passwords.ts'

type SignIn =
  | { readonly user: string }
  | { readonly refused: 'wrong' }
  /** `retryAfter` is in seconds. */
  | { readonly refused: 'limited'; readonly retryAfter: number }

/**
 * Checks the credentials. The caller starts the session.
 * @param address IP address of the visitor
 * @param device the visitor's device cookie
 * @throws SessionsAway
 */
export type SignInByPassword = (
  email: string,
  password: string,
  address: string,
  device?: string | null,
) => Promise<SignIn>

const SELECT_CREDENTIALS = prepared<[email: string]>(
  (email) =>
    sql`select id::text, encrypted_password from ingot.users where lower(email) = lower(${email}) and deleted_at is null`,
)
// Replaces the hash, unless the password has changed since it was read. With the setting `ingot.renews_hash`, the user's tokens stay valid,
// because the password is the same.
const UPDATE_HASH = prepared<[id: string, stored: string, renewed: string]>(
  (id, storedJson, renewed) => sql`update ingot.users set encrypted_password = ${renewed}
    where id = ${id}::bigint and encrypted_password = ${storedJson} and set_config('ingot.renews_hash', 'on', true) = 'on'`,
)
/** Maximum length of a password in characters. Hashing longer ones would waste time. */
const MAX_PASSWORD = 4_096

/** Creates the function that checks credentials. */
export function createSignIn(runStatement: RunAccountStatement, attempts: Attempts): SignInByPassword {
  const signIn: SignInByPassword = async (email, password, address, device = null) => {
    const visitorNetwork = network(address)
    // Checked before the attempt is counted.
    requireRoom(visitorNetwork)
    // The database rejects NUL, and no stored email address contains one.
    const account = replaceLoneSurrogates(email.trim().replaceAll('\0', '\ufffd'))
    const attempt = await attempts.check(address, account, device)
    if (attempt !== 'free') return { refused: 'limited', retryAfter: attempt.retryAfter }
    const [[id, storedValue] = []] = await runStatement(SELECT_CREDENTIALS(account), 'read')
    const storedHash = typeof storedValue === 'string' ? storedValue : null
    const matches = await verifyPassword(storedHash, password.slice(0, MAX_PASSWORD), visitorNetwork)
    if (!matches || typeof id !== 'string' || password.length > MAX_PASSWORD) return { refused: 'wrong' }
    await attempts.succeeded(address, account, device)
    if (storedHash !== null && isImportedHash(storedHash))
      await runStatement(UPDATE_HASH(id, storedHash, await hashPassword(password)), 'write')
    return { user: id }
  }
  return async (...credentials) => {
    try {
      return await signIn(...credentials)
    } catch (error) {
      if (error instanceof Crowded) return { refused: 'limited', retryAfter: error.retryAfter }
      throw error
    }
  }
}
