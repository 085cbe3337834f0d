/** What the planner asks of whoever runs its statements, and what an execution gives. */
import type { SqlStatement } from '../sql/sql.ts'
import type { FormCall, FormResult } from './forms.ts'
import type { EffectHost } from './effects.ts'
import type { SessionHost } from './accounts.ts'
import type { BuildOptions, Catalog, ShapeHost, SiteFacts } from './model.ts'

export interface RunOptions {
  readonly write: boolean
  /** The operation asks for `options: { read_replica: true }`. */
  readonly replica: boolean
  /** Seconds; at the end the statement is cancelled and `run` rejects with a `QueryError`. */
  readonly timeout: number
}

export interface QueryHost extends ShapeHost {
  readonly catalog: Catalog
  readonly options: BuildOptions
  readonly site: SiteFacts
  /** Id of the user who is signed in now: a mutation may sign in another. */
  readonly viewer: string | null
  readonly session: SessionHost
  /** Sends a form of the site as the visitor of the request; null outside of pages. */
  readonly throughForm: ((call: FormCall) => Promise<FormResult>) | null
  /**
   * Runs one statement and gives its rows, each as a list of its columns: texts as they are, JSON as text or parsed.
   * @throws QueryError for what the caller can mend (a value, a duplicate), and whatever the host's client throws for the rest
   */
  run(statement: SqlStatement, options: RunOptions): Promise<readonly (readonly unknown[])[]>
  /** Runs `body` in one transaction, or joins the open one; a rejection undoes it. */
  transaction<T>(body: (host: QueryHost) => Promise<T>): Promise<T>
  /** Mails, jobs, calls of other services; null where the host has none. */
  readonly effects: EffectHost | null
  /** Something that the host keeps in memory has changed. */
  touched(what: 'constants'): Promise<void>
}

export interface GraphqlError {
  readonly message: string
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly path?: readonly (string | number)[]
  readonly extensions?: Readonly<Record<string, unknown>>
}

export interface ExecutionResult {
  readonly data: Readonly<Record<string, unknown>> | null
  /** Absent where nothing went wrong. */
  readonly errors?: readonly GraphqlError[]
  /** Of values that were left out since their variables do not take them. Absent without any. */
  readonly warnings?: readonly string[]
}
