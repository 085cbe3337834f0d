/**
 * The query planner's host for PostgreSQL. It decides where statements run, in which transaction, and which server
 * features they can use.
 */
import type { SqlStatement } from '../../../../runtime/data/sql/sql.ts'
import type { AccountHost, SessionHost } from '../../../../runtime/data/query/account-host.ts'
import type { EffectHost } from '../../../../runtime/data/query/effects.ts'
import type { BuildOptions, Catalog, UploadHost } from '../../../../runtime/data/query/model.ts'
import type { SiteFacts } from '../../../../runtime/data/query/site-facts.ts'
import type { QueryHost, RunOptions } from '../../../../runtime/data/query/host.ts'
import type { Files } from '../../files/model.ts'
import { NOBODY, type Uploader } from '../../files/uploader.ts'
import type { Session } from '../../site/session.ts'
import { type AccountDependencies, type AccountServices, createAccountHost } from '../accounts/accounts.ts'
import type { AccountTokens } from '../accounts/account-tokens.ts'
import type { StatementRunner } from '../database/block.ts'
import type { OpenEffects } from './effects.ts'
import type { Seal } from '../values/secrets.ts'
import { createSessionHost } from '../accounts/session-acts.ts'
import { selectPasswordHash } from '../templates/account-port.ts'
import { createQueueRunner } from '../templates/ports.ts'
import type { NamingHost } from '../templates/query-watch.ts'
import type { ResultRows } from '../database/statements.ts'
import { retryConflicts } from '../database/retry-conflicts.ts'
import type { TransactionDependencies } from '../database/transactions.ts'
import { createUploadHost, type PrintUpload } from './uploads.ts'
import type { RequestDatabase } from '../database/request-database.ts'
import { valueError } from '../../../../runtime/data/query/model.ts'

/** The dependencies that all hosts of a process share for one site. */
export interface HostDependencies extends TransactionDependencies {
  readonly seal: Seal
  readonly catalog: Catalog
  readonly options: BuildOptions
  readonly site: SiteFacts
  readonly accounts: AccountServices
  /** Absent or null without a file store. */
  readonly files?: Files | null
  readonly tokens: AccountTokens
  /** The issuer that authenticator apps display. */
  readonly issuer: string
}

/** The properties of a request that its host needs. */
export interface HostRequest {
  /** Id of the signed-in user. */
  readonly viewer: string | null
  /** Submits a form as the visitor; null outside of pages. */
  readonly throughForm?: QueryHost['submitForm']
  /** The visitor's session; null for jobs and for clients with a token. */
  readonly session: Session | null
  /** The uploader whose files the request may claim. By default no files may be claimed. */
  readonly uploader?: () => Uploader
  /** Prints HTML as PDF, as a document of the request's site; absent or null where nothing can be printed. */
  readonly print?: PrintUpload | null
  /** Runs the statements of the request. */
  readonly database: RequestDatabase
  /** Null when sending is disabled. */
  readonly effects: OpenEffects | null
}

/** Creates the host of one request. */
export function createHost(dependencies: HostDependencies, request: HostRequest): NamingHost {
  return new Host(dependencies, request, { viewer: request.viewer, codes: new Map(), tried: new Map() }, null, null)
}

/** The acting user, shared by all hosts of a request. */
interface ActingUser {
  viewer: string | null
  /** Accepted time steps of one-time passwords, by sealed secret. */
  readonly codes: Map<string, number>
  /** Results of the checks of passwords and codes that were tried. */
  readonly tried: AccountDependencies['tried']
}

/** Options of account statements that run in addition to the operation's own statements. */
const READ_OPTIONS: RunOptions = { write: false, replica: false, timeout: 5 }
const WRITE_OPTIONS: RunOptions = { ...READ_OPTIONS, write: true }

/**
 * Implemented as a class with lazy getters, because every request creates one and most requests use only one of its
 * methods.
 */
class Host implements NamingHost {
  readonly catalog: Catalog
  readonly options: BuildOptions
  readonly site: SiteFacts
  readonly #dependencies: HostDependencies
  readonly #request: HostRequest
  readonly #actor: ActingUser
  /** The atomic unit that its statements belong to; null when each statement runs separately. */
  readonly #unit: StatementRunner | null
  /** Name of the query for metrics; null when it is not measured. */
  readonly #query: string | null
  #effects: EffectHost | null = null
  #accounts: AccountHost | null = null

  constructor(
    dependencies: HostDependencies,
    request: HostRequest,
    actor: ActingUser,
    unit: StatementRunner | null,
    query: string | null,
  ) {
    this.catalog = dependencies.catalog
    this.options = dependencies.options
    this.site = dependencies.site
    this.#dependencies = dependencies
    this.#request = request
    this.#actor = actor
    this.#unit = unit
    this.#query = query
  }

  withQueryName(query: string): QueryHost {
    return new Host(this.#dependencies, this.#request, this.#actor, this.#unit, query)
  }

  get viewer(): string | null {
    const { session } = this.#request
    // Tags also sign visitors in, so the session takes precedence.
    return session === null ? this.#actor.viewer : (session.user?.id ?? null)
  }

  get submitForm(): QueryHost['submitForm'] {
    return this.#request.throughForm ?? null
  }

  get effects(): EffectHost | null {
    const { effects } = this.#request
    if (effects === null) return null
    this.#effects ??= effects({
      run: createQueueRunner(this),
      afterCommit: async (callback) => (this.#unit ?? this.#request.database).afterCommit(callback),
    })
    return this.#effects
  }

  get accounts(): AccountHost {
    const { accounts: services, tokens, seal, issuer } = this.#dependencies
    this.#accounts ??= createAccountHost({
      ...{ services, tokens, seal, issuer },
      visitor: this.#request.session,
      presentSession: () => this.#request.session?.row ?? null,
      accepted: this.#actor.codes,
      tried: this.#actor.tried,
      run: (statement) => this.run(statement, WRITE_OPTIONS),
    })
    return this.#accounts
  }

  get uploads(): UploadHost | undefined {
    const { files } = this.#dependencies
    if (!files) return undefined
    const { uploader, database, print = null } = this.#request
    const run = database.recordsChanges ? (statement: SqlStatement) => this.run(statement, READ_OPTIONS) : null
    return createUploadHost(files, this.catalog, uploader?.() ?? NOBODY, print, run)
  }

  get session(): SessionHost {
    const { accounts: services, tokens } = this.#dependencies
    return createSessionHost({
      ...{ services, tokens },
      session: this.#request.session,
      passwordOf: async (id) => {
        const [row] = await this.run(selectPasswordHash(id), READ_OPTIONS)
        return row === undefined ? null : { password: nonEmptyText(row[0]) }
      },
      setViewer: (id) => {
        this.#actor.viewer = id
      },
    })
  }

  seal(plainText: string): string {
    return this.#dependencies.seal.seal(plainText)
  }

  open(sealed: string): string {
    try {
      return this.#dependencies.seal.open(sealed)
    } catch {
      throw valueError('The constant was encrypted with another INGOT_SECRET: set it again')
    }
  }

  fileUrl(storedObject: Readonly<Record<string, unknown>>, expiresIn: number | null): string | null {
    const path = nonEmptyText(storedObject['url']) ?? nonEmptyText(storedObject['path'])
    return path === null ? null : (this.#dependencies.files?.createUrl(path, expiresIn) ?? path)
  }

  run(statement: SqlStatement, options: RunOptions): Promise<ResultRows> {
    const { write, replica, timeout, query } = options
    const namedOptions = { write, replica, timeout, query: this.#query ?? query }
    return (this.#unit ?? this.#request.database).run(statement, namedOptions)
  }

  transaction<T>(body: (host: QueryHost) => Promise<T>): Promise<T> {
    if (this.#unit !== null) return body(this)
    return retryConflicts((inTurn) =>
      this.#request.database.unit(
        (unit) => body(new Host(this.#dependencies, this.#request, this.#actor, unit, this.#query)),
        inTurn,
      ),
    )
  }

  async announceChange(): Promise<void> {
    if (this.#unit !== null) this.#unit.constantsChanged()
    else await this.#request.database.constantsChanged()
  }
}

function nonEmptyText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
