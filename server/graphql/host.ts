/** The planner's host over PostgreSQL: where statements run, in which transaction, and what they may see of the server. */
import type { TransactionSql } from 'postgres'
import { QueryError, type BuildOptions, type Catalog, type SiteFacts } from '../../runtime/query/model.ts'
import type { QueryHost, RunOptions } from '../../runtime/query/host.ts'
import type { Meter } from '../services/meter.ts'
import { CONSTANTS_CHANGED, type Constants } from './constants.ts'
import type { Seal } from './secrets.ts'
import { again, type Databases, DatabaseFailure, type Statements } from './statements.ts'

/** What all hosts of a process share, for one site. */
export interface HostParts {
  readonly databases: Databases
  readonly statements: Statements
  readonly constants: Constants
  readonly seal: Seal
  readonly catalog: Catalog
  readonly options: BuildOptions
  readonly site: SiteFacts
}

export interface HostRequest {
  /** Id of the signed-in user. */
  readonly viewer: string | null
  readonly meter: Meter
  /** `performance.now()` at which every statement must have ended; null where each statement's own time is enough. */
  readonly deadline: number | null
}

/** A host for one request. */
export function createHost(parts: HostParts, request: HostRequest): QueryHost {
  return hostOn(parts, request, null)
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

function hostOn(parts: HostParts, request: HostRequest, open: Open | null): QueryHost {
  const { databases, statements, constants, seal } = parts
  const { meter, deadline, viewer } = request

  const host: QueryHost = {
    catalog: parts.catalog,
    options: parts.options,
    site: parts.site,
    viewer,
    seal: (plain) => seal.seal(plain),
    open(sealed) {
      try {
        return seal.open(sealed)
      } catch {
        throw problem('The constant was sealed with another INGOT_SECRET: set it again')
      }
    },
    fileUrl: (stored) => textOf(stored['url']) ?? textOf(stored['path']),
    async run(text, values, options) {
      const connection = open?.connection ?? null
      try {
        return await statements.run(text, values, { ...options, timeout: timeOf(options), connection, meter })
      } catch (error) {
        if (open !== null && error instanceof DatabaseFailure && error.answer.code === 'TIMEOUT') open.lost(error)
        throw error
      }
    },
    async transaction(body) {
      if (open !== null) return body(host)
      try {
        return await inTransaction(body)
      } catch (error) {
        // What the body threw is its own; what `begin` and `commit` threw is the client's.
        throw error instanceof QueryError || !isClientError(error) ? error : statements.failed(error, meter)
      }
    },
    async touched() {
      if (open !== null) open.constantsTouched = true
      else await spread(null)
    },
  }

  function timeOf(options: RunOptions): number {
    if (deadline === null) return options.timeout
    return Math.min(options.timeout, (deadline - performance.now()) / 1000)
  }

  async function inTransaction<T>(body: (host: QueryHost) => Promise<T>): Promise<T> {
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
        const value = await body(hostOn(parts, request, inner))
        if (inner.constantsTouched) {
          touched = true
          await spread(connection)
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
  async function spread(connection: TransactionSql | null): Promise<void> {
    const client = connection ?? databases.sql
    await client`select pg_notify(${CONSTANTS_CHANGED}, '')`
    if (connection === null) await constants.reload()
  }

  return host
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
