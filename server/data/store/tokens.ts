/** API tokens: random, stored as digests, and compared in constant time. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ISql, Sql } from 'postgres'

/**
 * `read`: queries. `write`: queries and mutations. `deploy`: the files of the site, but not its data. `exec`: runs templates that are sent.
 * `admin`: everything.
 */
export type TokenScope = 'read' | 'write' | 'deploy' | 'exec' | 'admin'
export const SCOPES: readonly TokenScope[] = ['read', 'write', 'deploy', 'exec', 'admin']

const INCLUDED: Readonly<Record<TokenScope, readonly TokenScope[]>> = {
  read: ['read'],
  write: ['read', 'write'],
  deploy: ['deploy'],
  exec: ['exec'],
  admin: SCOPES,
}

/** Returns whether a scope includes the needed scope. */
export function permits(scope: TokenScope, needed: TokenScope): boolean {
  return INCLUDED[scope].includes(needed)
}

export interface TokenRow {
  readonly id: string
  readonly name: string
  readonly scope: TokenScope
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

/** The owner of a token. */
export interface Bearer {
  /** Null for the token of the environment variable. */
  readonly id: string | null
  readonly name: string
  readonly scope: TokenScope
}

const PREFIX = 'ingot_'
/** Pattern of possible tokens. Other texts are not looked up. */
const TOKEN_PATTERN = /^[\x21-\x7e]{1,256}$/

/** The SHA-256 digest of a token. */
function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** Compares two digests in constant time. */
export function sameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Creates a token. This is the only time that its text is available. */
export async function createToken(sql: ISql, name: string, scope: TokenScope): Promise<TokenRow & { token: string }> {
  const token = PREFIX + randomBytes(32).toString('hex')
  const [row] = await sql<TokenColumns[]>`
    insert into ingot.api_tokens (name, digest, scope) values (${name}, ${digestOf(token)}, ${scope})
    returning id, name, scope, created_at, last_used_at, revoked_at`
  return { ...toTokenRow(row), token }
}

/** All tokens, oldest first. */
export async function listTokens(sql: Sql): Promise<readonly TokenRow[]> {
  const rows = await sql<TokenColumns[]>`
    select id, name, scope, created_at, last_used_at, revoked_at from ingot.api_tokens order by id`
  return rows.map(toTokenRow)
}

/** Revokes a token. Returns null when it does not exist or was revoked before. */
export async function revokeToken(sql: Sql, id: string): Promise<TokenRow | null> {
  if (!/^\d{1,18}$/.test(id)) return null
  const [row] = await sql<TokenColumns[]>`
    update ingot.api_tokens set revoked_at = now() where id = ${id} and revoked_at is null
    returning id, name, scope, created_at, last_used_at, revoked_at`
  return row === undefined ? null : toTokenRow(row)
}

export interface TokenCheck {
  /**
   * Returns the owner of a token; null when the token is invalid. The token of the environment is checked immediately, other tokens are
   * looked
   * up.
   * @throws the errors of the database client
   */
  bearer(token: string): Bearer | null | Promise<Bearer | null>
}

const USE_RECORD_INTERVAL = 60_000

/** The owner of the environment's token. */
const ENVIRONMENT: Bearer = { id: null, name: 'INGOT_API_TOKEN', scope: 'admin' }

/**
 * Creates the check of request tokens.
 * @param environment the token of `INGOT_API_TOKEN`, which has all rights; null for none
 * @param now milliseconds since 1970
 */
export function createTokenCheck(sql: Sql, environment: string | null, now: () => number = Date.now): TokenCheck {
  const environmentDigest = environment === null ? null : digestOf(environment)
  const usedAt = new Map<string, number>()

  function recordUse(id: string): void {
    const at = now()
    if (at - (usedAt.get(id) ?? 0) < USE_RECORD_INTERVAL) return
    usedAt.set(id, at)
    if (usedAt.size > 10_000) usedAt.clear()
    // The time is only informative, so requests do not wait for it, and a failed update is retried at the next use.
    sql`
      update ingot.api_tokens set last_used_at = now()
      where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.catch(() =>
      usedAt.delete(id),
    )
  }

  async function findStored(digest: Buffer): Promise<Bearer | null> {
    const [row] = await sql<(Pick<TokenColumns, 'id' | 'name' | 'scope'> & { readonly digest: Buffer })[]>`
      select id, name, scope, digest from ingot.api_tokens where digest = ${digest} and revoked_at is null`
    if (row === undefined || !sameDigest(row.digest, digest)) return null
    const { id, name, scope } = row
    recordUse(id)
    return { id, name, scope }
  }

  return {
    bearer(token) {
      if (!TOKEN_PATTERN.test(token)) return null
      const digest = digestOf(token)
      if (environmentDigest !== null && sameDigest(environmentDigest, digest)) return ENVIRONMENT
      return findStored(digest)
    },
  }
}

/** The columns of `ingot.api_tokens` that the client reads. Ids are texts. */
interface TokenColumns {
  readonly id: string
  readonly name: string
  readonly scope: TokenScope
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

function toTokenRow(row: TokenColumns | undefined): TokenRow {
  if (row === undefined) throw new Error('The database returned no token.')
  const { id, name, scope, created_at: createdAt, last_used_at: lastUsedAt, revoked_at: revokedAt } = row
  return { id, name, scope, createdAt, lastUsedAt, revokedAt }
}
