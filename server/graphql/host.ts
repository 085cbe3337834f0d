/** The planner's host over PostgreSQL: where statements run, in which transaction, and what they may see of the server. */
import type { TransactionSql } from 'postgres'
import type { AccountHost, SessionHost } from '../../runtime/query/accounts.ts'
import type { EffectHost } from '../../runtime/query/effects.ts'
import {
  QueryError,
  type BuildOptions,
  type Catalog,
  type SiteFacts,
  type UploadHost,
} from '../../runtime/query/model.ts'
import type { QueryHost, RunOptions } from '../../runtime/query/host.ts'
import type { Files } from '../files/model.ts'
import type { Meter } from '../services/meter.ts'
import type { Session } from '../site/session.ts'
import { type AccountServices, createAccountHost } from './accounts.ts'
import type { AccountTokens } from './account-tokens.ts'
import { CONSTANTS_CHANGED, type Constants } from './constants.ts'
import type { Seal } from './secrets.ts'
import { createSessionHost } from './session-acts.ts'
import { again, type Databases, DatabaseFailure, type Rows, type Statements } from './statements.ts'
import { createUploadHost } from './uploads.ts'

/** What all hosts of a process share, for one site. */
export interface HostParts {
  readonly databases: Databases
  readonly statements: Statements
  readonly constants: Constants
  readonly seal: Seal
  readonly catalog: Catalog
  readonly options: BuildOptions
  readonly site: SiteFacts
  readonly accounts: AccountServices
  /** Absent or null where files are not kept. */
  readonly files?: Files | null
  readonly tokens: AccountTokens
  /** What authenticator apps say a code is for. */
  readonly issuer: string
}

export interface HostRequest {
  /** Id of the signed-in user. */
  readonly viewer: string | null
  /** Sends a form as the visitor; null outside of pages. */
  readonly throughForm?: QueryHost['throughForm']
  /** Of the visitor; null for jobs and for programs with a token. */
  readonly session: Session | null
  readonly meter: Meter
  /** `performance.now()` at which every statement must have ended; null where each statement's own time is enough. */
  readonly deadline: number | null
}

/** A host for one request. */
export function createHost(parts: HostParts, request: HostRequest): QueryHost {
  return new Host(parts, request, { viewer: request.viewer }, null)
}

/** Who acts: the hosts of one request share it. */
interface Actor {
  viewer: string | null
}

/** What an open transaction still has to do once it has been kept. */
interface Open {
  readonly connection: TransactionSql
  /** Called with the failure of a statement after which the connection may never answer again. */
  readonly lost: (failure: DatabaseFailure) => void
  constantsTouched: boolean
}

/** Milliseconds in which a free connection must have begun a transaction. */
const BEGIN = 30_000
/** So long a transaction gets to be undone after a statement whose time was up. */
const UNDO = 2_000

/** What is read and written of accounts beside the operation's own statements. */
const ACCOUNT: RunOptions = { write: false, replica: false, timeout: 5 }
const SECRETS: RunOptions = { ...ACCOUNT, write: true }
const PASSWORD = 'select encrypted_password from ingot.users where id = $1::text::bigint and deleted_at is null'

/** A class, because every request makes one, and most use one method of it. */
class Host implements QueryHost {
  readonly catalog: Catalog
  readonly options: BuildOptions
  readonly site: SiteFacts
  readonly #parts: HostParts
  readonly #request: HostRequest
  readonly #actor: Actor
  readonly #open: Open | null
  #accounts: AccountHost | null = null

  constructor(parts: HostParts, request: HostRequest, actor: Actor, open: Open | null) {
    this.catalog = parts.catalog
    this.options = parts.options
    this.site = parts.site
    this.#parts = parts
    this.#request = request
    this.#actor = actor
    this.#open = open
  }

  get viewer(): string | null {
    const { session } = this.#request
    // Tags sign visitors in too.
    return session === null ? this.#actor.viewer : (session.user?.id ?? null)
  }

  get throughForm(): QueryHost['throughForm'] {
    return this.#request.throughForm ?? null
  }

  get effects(): EffectHost | null {
    return null
  }

  get accounts(): AccountHost {
    const { accounts: services, tokens, seal, issuer } = this.#parts
    this.#accounts ??= createAccountHost({
      ...{ services, tokens, seal, issuer },
      presentSession: () => this.#request.session?.row ?? null,
      run: (text, values) => this.run(text, values, SECRETS),
    })
    return this.#accounts
  }

  get uploads(): UploadHost | undefined {
    const { files } = this.#parts
    return files ? createUploadHost(files, this.catalog) : undefined
  }

  get session(): SessionHost {
    const { accounts: services, tokens } = this.#parts
    return createSessionHost({
      ...{ services, tokens },
      session: this.#request.session,
      passwordOf: async (id) => {
        const [row] = await this.run(PASSWORD, [id], ACCOUNT)
        return row === undefined ? null : { password: textOf(row[0]) }
      },
      becomes: (id) => {
        this.#actor.viewer = id
      },
    })
  }

  seal(plain: string): string {
    return this.#parts.seal.seal(plain)
  }

  open(sealed: string): string {
    try {
      return this.#parts.seal.open(sealed)
    } catch {
      throw problem('The constant was sealed with another INGOT_SECRET: set it again')
    }
  }

  fileUrl(stored: Readonly<Record<string, unknown>>, expiresIn: number | null): string | null {
    const path = textOf(stored['url']) ?? textOf(stored['path'])
    return path === null ? null : (this.#parts.files?.urlOf(path, expiresIn) ?? path)
  }

  run(text: string, values: readonly unknown[], options: RunOptions): Promise<Rows> {
    const { write, replica } = options
    const { meter } = this.#request
    const open = this.#open
    const connection = open?.connection ?? null
    const rows = this.#parts.statements.run(text, values, {
      write,
      replica,
      timeout: this.#timeOf(options),
      connection,
      meter,
    })
    if (open === null) return rows
    return rows.catch((error: unknown) => {
      if (error instanceof DatabaseFailure && error.answer.code === 'TIMEOUT') open.lost(error)
      throw error
    })
  }

  async transaction<T>(body: (host: QueryHost) => Promise<T>): Promise<T> {
    if (this.#open !== null) return body(this)
    try {
      return await this.#inTransaction(body)
    } catch (error) {
      // What the body threw is its own; what `begin` and `commit` threw is the client's.
      if (error instanceof QueryError || !isClientError(error)) throw error
      throw this.#parts.statements.failed(error, this.#request.meter)
    }
  }

  async touched(): Promise<void> {
    if (this.#open !== null) this.#open.constantsTouched = true
    else await this.#spread(null)
  }

  #timeOf(options: RunOptions): number {
    const { deadline } = this.#request
    if (deadline === null) return options.timeout
    return Math.min(options.timeout, (deadline - performance.now()) / 1000)
  }

  async #inTransaction<T>(body: (host: QueryHost) => Promise<T>): Promise<T> {
    const { databases, constants } = this.#parts
    const { deadline } = this.#request
    let begun = false
    let touched = false
    let giveUp: (failure: unknown) => void = () => undefined
    const lost = new Promise<never>((_done, reject) => {
      giveUp = reject
    })
    const patience = deadline === null ? BEGIN : Math.min(BEGIN, Math.max(0, deadline - performance.now()))
    const timers = [setTimeout(() => begun || giveUp(notBegun()), patience)]
    const attempt = (): Promise<{ value: T }> =>
      databases.sql.begin(async (connection) => {
        begun = true
        const inner: Open = {
          connection,
          lost: (failure) => timers.push(setTimeout(() => giveUp(failure), UNDO)),
          constantsTouched: false,
        }
        const value = await body(new Host(this.#parts, this.#request, this.#actor, inner))
        if (inner.constantsTouched) {
          touched = true
          await this.#spread(connection)
        }
        return { value }
      }) as Promise<{ value: T }>
    try {
      const { value } = await Promise.race([again(attempt, () => !begun), lost])
      // The request that has set a constant sees it in its next line.
      if (touched) await constants.reload()
      return value
    } finally {
      for (const timer of timers) clearTimeout(timer)
    }
  }

  // Sent inside of the transaction, the news goes out when it is kept, and not at all when it is undone.
  async #spread(connection: TransactionSql | null): Promise<void> {
    const { databases, constants } = this.#parts
    const client = connection ?? databases.sql
    await client`select pg_notify(${CONSTANTS_CHANGED}, '')`
    if (connection === null) await constants.reload()
  }
}

function notBegun(): Error {
  return Object.assign(new Error('no connection began a transaction in time'), { code: 'CONNECT_TIMEOUT' })
}

function problem(message: string): QueryError {
  return new QueryError([{ code: 'value', message, at: null, hint: null }])
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function isClientError(error: unknown): boolean {
  return error instanceof DatabaseFailure || (error instanceof Error && 'code' in error)
}
