/**
 * Finds or creates the user of an identity, and links both. The rules: a known identity signs its user in; a signed-in visitor links a
 * new identity; an e-mail address alone opens no account, unless the operator trusts the provider's verified addresses; everyone else
 * gets a new account.
 */
import { parameter, sql, type Sql, toStatement } from '../../../runtime/data/sql/sql.ts'
import type { QueryHost } from '../../../runtime/data/query/host.ts'
import { plainJson } from '../../../runtime/data/values/json-text.ts'
import type { OidcProvider } from '../../core/oidc-settings.ts'
import type { FormDependencies } from '../forms/model.ts'
import { changeUser, field, userForm } from '../forms/user-changes.ts'
import { DatabaseFailure } from '../graphql/database/statements.ts'
import type { RequestData, Visit } from '../site/host.ts'
import type { Identity } from './claims.ts'
import { SignInRefusal } from './refusal.ts'

/** What decides about an identity, in addition to the identity. */
export interface Circumstances {
  readonly dependencies: FormDependencies
  readonly visit: Visit
  readonly provider: OidcProvider
  /** Id of the signed-in user; null for none. */
  readonly viewer: string | null
  /** Whether the user who is signed in now, or nobody, began the journey on a page of this site. */
  readonly isSameVisitor: boolean
}

/** The user to sign in, and how the identity came to this user. */
export interface SettledUser {
  readonly id: string
  readonly how: 'known' | 'linked' | 'created'
}

/** The visitors of this network have created too many users. `retryAfter` is in seconds. */
export class SignUpLimit extends Error {
  override readonly name = 'SignUpLimit'
  constructor(readonly retryAfter: number) {
    super('too many users were created from this network')
  }
}

/** Timeout of a statement, and of the transaction, in seconds. */
const TIMEOUT = 10
const TRANSACTION_TIMEOUT = 20
/** Attempts when another request creates the same identity or address at the same time. */
const MAX_ATTEMPTS = 3
/** Maximum length of the stored claims in characters. */
const MAX_CLAIMS = 65_536

/**
 * Returns the user of an identity.
 * @throws SignInRefusal, SignUpLimit, SessionsAway, and the errors of the database
 */
export async function settleIdentity(circumstances: Circumstances, identity: Identity): Promise<SettledUser> {
  const { data } = circumstances.visit
  if (data === null) throw new SignInRefusal('unavailable', 'this server has no database')
  for (let attempt = 1; ; attempt++) {
    try {
      return await settleOnce(circumstances, data, identity)
    } catch (error) {
      // The other request has committed, so the next attempt finds its rows.
      const isConcurrent =
        error instanceof Concurrent || (error instanceof DatabaseFailure && error.answer.code === 'DUPLICATE')
      if (!isConcurrent || attempt === MAX_ATTEMPTS) throw error instanceof Concurrent ? error.refusal : error
    }
  }
}

/** The rows have probably changed during the attempt. The refusal says what is wrong if they have not. */
class Concurrent extends Error {
  override readonly name = 'Concurrent'
  constructor(readonly refusal: SignInRefusal) {
    super(refusal.message)
  }
}

async function settleOnce(circumstances: Circumstances, data: RequestData, identity: Identity): Promise<SettledUser> {
  let settled: SettledUser | null = null
  // The user and the link are created together, or not at all.
  await data.transactions.run({ timeout: TRANSACTION_TIMEOUT }, async () => {
    settled = await new Settlement(circumstances, data.query(null), identity).run()
  })
  if (settled === null) throw new SignInRefusal('unavailable', 'the transaction was rolled back')
  return settled
}

/** The link of an identity to a user. */
interface IdentityLink {
  readonly id: string
  /** Id of the user. */
  readonly user: string
}

/** One attempt, in a transaction. */
class Settlement {
  readonly #circumstances: Circumstances
  readonly #query: QueryHost
  readonly #identity: Identity

  constructor(circumstances: Circumstances, query: QueryHost, identity: Identity) {
    this.#circumstances = circumstances
    this.#query = query
    this.#identity = identity
  }

  async run(): Promise<SettledUser> {
    const link = await this.#findLink()
    if (link !== null) return this.#settleKnown(link)
    try {
      return await this.#settleNew()
    } catch (error) {
      if (!(error instanceof SignInRefusal)) throw error
      // Another request of the same person may have created the user after the first look.
      const newLink = await this.#findLink()
      if (newLink === null) throw error
      return this.#settleKnown(newLink)
    }
  }

  async #settleKnown({ id, user }: IdentityLink): Promise<SettledUser> {
    const { viewer } = this.#circumstances
    if (viewer !== null && viewer !== user)
      throw new SignInRefusal('other_user', `the identity belongs to the user ${user}, not to ${viewer}`)
    await this.#renew(id)
    return { id: user, how: 'known' }
  }

  async #settleNew(): Promise<SettledUser> {
    const { viewer, isSameVisitor } = this.#circumstances
    if (!isSameVisitor)
      throw new SignInRefusal(
        'user_changed',
        viewer === null
          ? 'the visitor began as a signed-in user, and is signed out now'
          : `the user ${viewer} did not begin to link this identity on a page of this site`,
      )
    if (viewer === null) return this.#settleByEmail()
    await this.#link(viewer)
    return { id: viewer, how: 'linked' }
  }

  /** Finds or creates a user with the e-mail address of a new identity. */
  async #settleByEmail(): Promise<SettledUser> {
    const { email, isEmailVerified } = this.#identity
    const { provider } = this.#circumstances
    if (email === null)
      throw new SignInRefusal('email_missing', 'the provider sent no e-mail address: ask for it in the scopes')
    const [[owner = null] = []] = await this.#run(
      sql`select id::text from ingot.users where lower(email) = lower(${parameter(email.replaceAll('\0', ''), 'text')}) and deleted_at is null`,
    )
    if (typeof owner !== 'string') return { id: await this.#createUser(email), how: 'created' }
    if (!isEmailVerified)
      throw new SignInRefusal(
        'email_unverified',
        `the user ${owner} has the e-mail address of the identity, and the provider has not verified it`,
      )
    if (!provider.trustsEmail)
      throw new SignInRefusal(
        'email_taken',
        `the user ${owner} has the e-mail address of the identity, and INGOT_OIDC_${provider.name.toUpperCase()}_TRUST_EMAIL is not on`,
      )
    await this.#link(owner)
    return { id: owner, how: 'linked' }
  }

  async #createUser(email: string): Promise<string> {
    const { dependencies, visit } = this.#circumstances
    const { name, firstName, lastName } = this.#identity
    const allowance = (await visit.session?.signUp()) ?? 'free'
    if (allowance !== 'free') throw new SignUpLimit(allowance.retryAfter)
    const names = { name, first_name: firstName, last_name: lastName }
    const given = Object.entries(names).filter(([, value]) => value !== null)
    const created = await changeUser(dependencies, visit, {
      form: NEW_USER,
      operation: 'create',
      id: null,
      table: null,
      raw: { email, ...Object.fromEntries(given) },
      trusted: true,
    })
    if ('problems' in created)
      throw new Concurrent(
        new SignInRefusal('email_missing', `no user could be created: ${created.problems.join(', ').slice(0, 300)}`),
      )
    await this.#link(created.id)
    return created.id
  }

  /**
   * Returns the link of the identity. A link that the site has written itself, such as one of imported users, is proved by this sign-in.
   */
  async #findLink(): Promise<IdentityLink | null> {
    const { uid, issuer } = this.#identity
    const rows = await this.#run(
      sql`select a.id::text, a.user_id::text, a.issuer is not null, u.id is not null from ingot.authentications a
        left join ingot.users u on u.id = a.user_id and u.deleted_at is null
        where a.provider = ${this.#provider} and a.uid = ${parameter(uid, 'text')} and a.deleted_at is null
        and (a.issuer is null or a.issuer = ${parameter(issuer, 'text')}) for update of a`,
    )
    const links = rows.map(([id, user, isProved, isAlive]) => ({
      id: String(id),
      user: String(user),
      isProved: isProved === true,
      isAlive: isAlive === true,
    }))
    // The identity of a deleted user may begin again.
    for (const { id, isAlive } of links)
      if (!isAlive) await this.#run(sql`delete from ingot.authentications where id = ${parameter(id, 'bigint')}`)
    const alive = links.filter(({ isAlive }) => isAlive)
    const proved = alive.find(({ isProved }) => isProved)
    if (proved !== undefined) return proved
    if (alive.length > 1)
      throw new SignInRefusal(
        'invalid',
        `the site has linked the same identity to the users ${alive
          .map(({ user }) => user)
          .join(', ')
          .slice(0, 200)}: remove the wrong links`,
      )
    return alive[0] ?? null
  }

  async #renew(id: string): Promise<void> {
    const [row] = await this.#run(
      sql`update ingot.authentications set issuer = ${parameter(this.#identity.issuer, 'text')}, token = ${this.#token},
        token_expires_at = ${this.#tokenExpiresAt}, raw_info = ${this.#claims}, updated_at = clock_timestamp()
        where id = ${parameter(id, 'bigint')} returning 1`,
    )
    if (row === undefined) throw new Concurrent(new SignInRefusal('expired', 'the link was removed meanwhile'))
  }

  async #link(user: string): Promise<void> {
    const { uid, issuer } = this.#identity
    const [row] = await this.#run(
      sql`insert into ingot.authentications as a (user_id, provider, uid, issuer, token, token_expires_at, raw_info)
        values (${parameter(user, 'bigint')}, ${this.#provider}, ${parameter(uid, 'text')}, ${parameter(issuer, 'text')},
          ${this.#token}, ${this.#tokenExpiresAt}, ${this.#claims})
        on conflict (user_id, provider) do update set uid = excluded.uid, issuer = excluded.issuer, token = excluded.token,
          token_expires_at = excluded.token_expires_at, raw_info = excluded.raw_info, deleted_at = null, updated_at = clock_timestamp()
        where a.deleted_at is not null or a.uid is null returning 1`,
    )
    if (row === undefined)
      throw new SignInRefusal('other_identity', `the user ${user} has another identity of this provider already`)
  }

  get #provider(): Sql {
    return parameter(this.#circumstances.provider.name, 'text')
  }

  get #token(): Sql {
    return parameter(this.#identity.token.includes('\0') ? null : this.#identity.token, 'text')
  }

  get #tokenExpiresAt(): Sql {
    return parameter(this.#identity.tokenExpiresAt, 'timestamptz')
  }

  get #claims(): Sql {
    const json = plainJson(this.#identity.claims)
    return sql`${parameter(json === null || json.length > MAX_CLAIMS ? null : json, 'text')}::jsonb`
  }

  #run(statement: Sql): Promise<readonly (readonly unknown[])[]> {
    return this.#query.run(toStatement(statement), { write: true, replica: false, timeout: TIMEOUT })
  }
}

const NEW_USER = userForm(
  ['email', 'name', 'first_name', 'last_name'].map((name) => field(name)),
  [],
)
