/** The interface of the host that runs statements for the planner, and the result of an execution. */
import type { SqlStatement } from '../sql/sql.ts'
import type { FormCall, FormResult } from './forms.ts'
import type { EffectHost } from './effects.ts'
import type { SessionHost } from './account-host.ts'
import type { BuildOptions, Catalog, ShapeHost } from './model.ts'
import type { SiteFacts } from './site-facts.ts'

export interface RunOptions {
  readonly write: boolean
  /** Whether the operation requests a replica: `options: { read_replica: true }`. */
  readonly replica: boolean
  /** Timeout in seconds, after which the statement is cancelled and `run` rejects with a `QueryError`. */
  readonly timeout: number
  /** The name of the query that contains the statement, for measurements. */
  readonly query?: string | undefined
}

export interface QueryHost extends ShapeHost {
  readonly catalog: Catalog
  readonly options: BuildOptions
  readonly site: SiteFacts
  /** The id of the signed-in user, which a mutation may change. */
  readonly viewer: string | null
  readonly session: SessionHost
  /** Submits a form of the site on behalf of the visitor; null outside of pages. */
  readonly submitForm: ((call: FormCall) => Promise<FormResult>) | null
  /**
   * Runs a statement and returns its rows as lists of columns: texts, and JSON as text or parsed.
   * @throws QueryError for an error that the caller can correct, such as a duplicate; otherwise the client's error
   */
  run(statement: SqlStatement, options: RunOptions): Promise<readonly (readonly unknown[])[]>
  /**
   * Runs `body` in a transaction, which is rolled back when `body` rejects. Uses the open transaction if there is one. If the transaction conflicts with
   * another one, `body` runs again: everything that it does must be undone by the rollback, except for log entries.
   */
  transaction<T>(body: (host: QueryHost) => Promise<T>): Promise<T>
  /** Performs effects; null when this host cannot perform any. */
  readonly effects: EffectHost | null
  /** Announces that data has changed which the host caches. */
  announceChange(changedData: 'constants'): Promise<void>
}

export interface GraphqlError {
  readonly message: string
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly path?: readonly (string | number)[]
  readonly extensions?: Readonly<Record<string, unknown>>
}

export interface ExecutionResult {
  readonly data: Readonly<Record<string, unknown>> | null
  /** Absent when there were no errors. */
  readonly errors?: readonly GraphqlError[]
  /** Messages about values that were ignored because they do not fit their variables. Absent when there are none. */
  readonly warnings?: readonly string[]
}
