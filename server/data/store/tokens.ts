/** API tokens: random, stored as digests, and compared in constant time. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ISql, Sql } from 'postgres'

/**
 * `read`: queries. `write`: queries and mutations. `deploy`: the files of the site, but not its data. `exec`: runs templates that are sent.
 * `admin`: everything.
 */
export type TokenScope = 'read' | 'write' | 'deploy' | 'exec' | 'admin'
export const SCOPES: readonly TokenScope[] = ['read', 'write', 'deploy', 'exec', 'admin']

/** The scopes of tokens of users. `site`: pages and forms of the site as this user, but not `/api/graph`. */
export type UserTokenScope = 'site' | 'read' | 'write' | 'admin'
export const USER_SCOPES: readonly UserTokenScope[] = ['site', 'read', 'write', 'admin']

type AnyScope = TokenScope | UserTokenScope

const INCLUDED: Readonly<Record<AnyScope, readonly AnyScope[]>> = {
  site: ['site'],
  read: ['read'],
  write: ['read', 'write'],
  deploy: ['deploy'],
  exec: ['exec'],
  admin: SCOPES,
}

/** Returns whether a scope includes the needed scope. */
export function permits(scope: AnyScope, needed: TokenScope): boolean {
  return INCLUDED[scope].includes(needed)
}

/** Returns whether a scope permits requests to pages and forms of the site. Requests that change nothing need a smaller scope. */
export function permitsVisit(scope: AnyScope, isRead: boolean): boolean {
  return scope === 'site' || permits(scope, isRead ? 'read' : 'write')
}

export interface TokenRow {
  readonly id: string
  readonly name: string
  readonly scope: AnyScope
  /** E-mail address of the user as whom a program acts; null for a token of the instance. */
  readonly email: string | null
  readonly createdAt: Date
  /** Null for a token that does not expire. */
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

/** The owner of a token. */
export interface Bearer {
  /** Null for the token of the environment variable. */
  readonly id: string | null
  readonly name: string
  readonly scope: AnyScope
  /** Id of the user as whom the program acts; null for a token of the instance. */
  readonly user: string | null
}

const PREFIX = 'ingot_'
const USER_PREFIX = 'ingot_user_'
/** Pattern of possible tokens. Other texts are not looked up. */
const TOKEN_PATTERN = /^[\x21-\x7e]{1,256}$/

/** Returns whether a token has the form of a token of a user. Pages of a site may use tokens of other forms for their own purposes. */
export function isUserToken(token: string): boolean {
  return token.startsWith(USER_PREFIX)
}

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
    returning id, name, scope, null as email, created_at, null as expires_at, last_used_at, revoked_at`
  return { ...toTokenRow(row), token }
}

/**
 * Creates a token with which a program acts as a user. This is the only time that its text is available.
 * @param email the user's address, in any case
 * @param days until it expires
 * @returns null when there is no such user
 */
export async function createUserToken(
  sql: ISql,
  email: string,
  name: string,
  scope: UserTokenScope,
  days: number,
): Promise<(TokenRow & { token: string }) | null> {
  const [row] = await sql<(TokenColumns & { readonly token: string })[]>`
    select t.id, t.name, t.scope, u.email, t.created_at, t.expires_at, null as last_used_at, null as revoked_at, t.token
    from ingot.users u, ingot.create_user_token(u.id, ${name}, ${scope}, ${days}) t
    where lower(u.email) = lower(${email}) and u.deleted_at is null`
  return row === undefined ? null : { ...toTokenRow(row), token: row.token }
}

/** All tokens, oldest first. */
export async function listTokens(sql: Sql): Promise<readonly TokenRow[]> {
  const rows = await sql<TokenColumns[]>`
    select id, name, scope, null as email, created_at, null as expires_at, last_used_at, revoked_at from ingot.api_tokens
    union all
    select t.id, t.name, t.scope, u.email, t.created_at, t.expires_at, t.last_used_at, t.revoked_at
    from ingot.user_tokens t join ingot.users u on u.id = t.user_id
    order by id`
  return rows.map(toTokenRow)
}

/** Revokes a token. Returns null when it does not exist or was revoked before. */
export async function revokeToken(sql: Sql, id: string): Promise<TokenRow | null> {
  if (!/^\d{1,18}$/.test(id)) return null
  // Both kinds of tokens take their ids from the same sequence, so an id matches only one token.
  const [row] = await sql<TokenColumns[]>`
    with a as (
      update ingot.api_tokens set revoked_at = now() where id = ${id} and revoked_at is null returning *
    ), u as (
      update ingot.user_tokens set revoked_at = now() where id = ${id} and revoked_at is null returning *
    )
    select id, name, scope, null as email, created_at, null as expires_at, last_used_at, revoked_at from a
    union all
    select id, name, scope, (select email from ingot.users where id = u.user_id), created_at, expires_at, last_used_at, revoked_at from u`
  return row === undefined ? null : toTokenRow(row)
}

export interface TokenCheck {
  /**
   * Returns the owner of a token; null when the token is wrong, expired or revoked. The token of the environment is checked immediately,
   * other tokens are looked up.
   * @throws the errors of the database client
   */
  bearer(token: string): Bearer | null | Promise<Bearer | null>
}

const USE_RECORD_INTERVAL = 60_000

/** The owner of the environment's token. */
const ENVIRONMENT: Bearer = { id: null, name: 'INGOT_API_TOKEN', scope: 'admin', user: null }

/**
 * Creates the check of request tokens.
 * @param environment the token of `INGOT_API_TOKEN`, which has all rights; null for none
 * @param now milliseconds since 1970
 */
export function createTokenCheck(sql: Sql, environment: string | null, now: () => number = Date.now): TokenCheck {
  const environmentDigest = environment === null ? null : digestOf(environment)
  const usedAt = new Map<string, number>()

  function recordUse(id: string, table: 'api_tokens' | 'user_tokens'): void {
    const at = now()
    if (at - (usedAt.get(id) ?? 0) < USE_RECORD_INTERVAL) return
    usedAt.set(id, at)
    if (usedAt.size > 10_000) usedAt.clear()
    // The time is only informative, so requests do not wait for it, and a failed update is retried at the next use.
    sql`
      update ${sql(`ingot.${table}`)} set last_used_at = now()
      where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.catch(() =>
      usedAt.delete(id),
    )
  }

  async function findStored(digest: Buffer): Promise<Bearer | null> {
    const [row] = await sql<BearerColumns[]>`
      select id, name, scope, digest, null as user from ingot.api_tokens where digest = ${digest} and revoked_at is null`
    return verified(row, digest, 'api_tokens')
  }

  async function findOfUser(digest: Buffer): Promise<Bearer | null> {
    const [row] = await sql<BearerColumns[]>`
      select t.id, t.name, t.scope, t.digest, t.user_id as user
      from ingot.user_tokens t join ingot.users u on u.id = t.user_id
      where t.digest = ${digest} and t.revoked_at is null and t.expires_at > now() and u.deleted_at is null`
    return verified(row, digest, 'user_tokens')
  }

  function verified(
    row: BearerColumns | undefined,
    digest: Buffer,
    table: Parameters<typeof recordUse>[1],
  ): Bearer | null {
    if (row === undefined || !sameDigest(row.digest, digest)) return null
    const { id, name, scope, user } = row
    recordUse(id, table)
    return { id, name, scope, user }
  }

  return {
    bearer(token) {
      if (!TOKEN_PATTERN.test(token)) return null
      const digest = digestOf(token)
      if (environmentDigest !== null && sameDigest(environmentDigest, digest)) return ENVIRONMENT
      return isUserToken(token) ? findOfUser(digest) : findStored(digest)
    },
  }
}

/** The columns of a valid token. Ids are texts. */
interface BearerColumns {
  readonly id: string
  readonly name: string
  readonly scope: AnyScope
  readonly user: string | null
  readonly digest: Buffer
}

/** The columns of `ingot.api_tokens` and `ingot.user_tokens` that the client reads. Ids are texts. */
interface TokenColumns {
  readonly id: string
  readonly name: string
  readonly scope: AnyScope
  readonly email: string | null
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

function toTokenRow(row: TokenColumns | undefined): TokenRow {
  if (row === undefined) throw new Error('The database returned no token.')
  const { id, name, scope, email, created_at: createdAt, expires_at: expiresAt } = row
  return { id, name, scope, email, createdAt, expiresAt, lastUsedAt: row.last_used_at, revokedAt: row.revoked_at }
}
