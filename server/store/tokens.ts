/** API tokens: made from random bytes, kept as digests, compared in constant time. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Sql } from 'postgres'

/** `read`: queries. `write`: also changes of data. `admin`: everything. */
export type TokenScope = 'read' | 'write' | 'admin'
export const SCOPES: readonly TokenScope[] = ['read', 'write', 'admin']

export interface TokenRow {
  readonly id: string
  readonly name: string
  readonly scope: TokenScope
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

/** Who sends a request. */
export interface Bearer {
  /** Null for the token of the environment. */
  readonly id: string | null
  readonly name: string
  readonly scope: TokenScope
}

const PREFIX = 'ingot_'
/** Text that a token can be; anything longer is not looked up. */
const LIKELY = /^[\x21-\x7e]{1,256}$/

/** SHA-256 of a token. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest()
}

/** Whether two digests are equal, in a time that tells nothing of where they differ. */
export function sameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Makes a token. Its text is given here, and never again. */
export async function createToken(sql: Sql, name: string, scope: TokenScope): Promise<TokenRow & { token: string }> {
  const token = PREFIX + randomBytes(32).toString('hex')
  const [row] = await sql`
    insert into ingot.api_tokens (name, digest, scope) values (${name}, ${digestOf(token)}, ${scope})
    returning id, name, scope, created_at, last_used_at, revoked_at`
  return { ...tokenOf(row), token }
}

/** All tokens, the oldest first. */
export async function listTokens(sql: Sql): Promise<readonly TokenRow[]> {
  const rows = await sql`
    select id, name, scope, created_at, last_used_at, revoked_at from ingot.api_tokens order by id`
  return rows.map(tokenOf)
}

/** Ends a token at once. Gives null where there is none, or it has ended before. */
export async function revokeToken(sql: Sql, id: string): Promise<TokenRow | null> {
  if (!/^\d{1,18}$/.test(id)) return null
  const [row] = await sql`
    update ingot.api_tokens set revoked_at = now() where id = ${id} and revoked_at is null
    returning id, name, scope, created_at, last_used_at, revoked_at`
  return row === undefined ? null : tokenOf(row)
}

export interface TokenCheck {
  /** Who the token belongs to, null where it is none of ours. @throws what the database's client throws */
  bearer(token: string): Promise<Bearer | null>
}

const USE_EVERY = 60_000

/**
 * Checks tokens of requests.
 * @param environment a token that has every right (`INGOT_API_TOKEN`), null for none
 * @param now milliseconds
 */
export function createTokenCheck(sql: Sql, environment: string | null, now: () => number = Date.now): TokenCheck {
  const own = environment === null ? null : digestOf(environment)
  const used = new Map<string, number>()

  // Nobody waits for it, and a failure loses no more than the time of a use.
  function note(id: string): void {
    const at = now()
    if (at - (used.get(id) ?? 0) < USE_EVERY) return
    used.set(id, at)
    if (used.size > 10_000) used.clear()
    // When a token was used last is a help, no condition: where it cannot be written, the next use tries again.
    sql`
      update ingot.api_tokens set last_used_at = now()
      where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.catch(() =>
      used.delete(id),
    )
  }

  return {
    async bearer(token) {
      if (!LIKELY.test(token)) return null
      const digest = digestOf(token)
      if (own !== null && sameDigest(own, digest)) return { id: null, name: 'INGOT_API_TOKEN', scope: 'admin' }
      const [row] = await sql`
        select id, name, scope, digest from ingot.api_tokens where digest = ${digest} and revoked_at is null`
      if (row === undefined || !Buffer.isBuffer(row['digest']) || !sameDigest(row['digest'], digest)) return null
      const id = String(row['id'])
      note(id)
      return { id, name: String(row['name']), scope: row['scope'] as TokenScope }
    },
  }
}

function tokenOf(row: Readonly<Record<string, unknown>> | undefined): TokenRow {
  if (row === undefined) throw new Error('the database gave no row')
  return {
    id: String(row['id']),
    name: String(row['name']),
    scope: row['scope'] as TokenScope,
    createdAt: row['created_at'] as Date,
    lastUsedAt: row['last_used_at'] as Date | null,
    revokedAt: row['revoked_at'] as Date | null,
  }
}
