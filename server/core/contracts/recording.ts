/**
 * What is recorded of a request or a job in development, in addition to its spans. A recording belongs to the spans of its request
 * (`Span.recording`). It is null in production and while recording is off, and no code runs for it then. No method waits or throws, and
 * everything is bounded.
 */

/** The kind of a template in the tree. */
export type TemplateKind = 'page' | 'layout' | 'partial' | 'function' | 'policy' | 'form' | 'job'

/** What reports a template: the host that calls it, code around it, or its own code. */
export type TemplateReporter = 'host' | 'around' | 'own'

/** Calls of one template by one caller. Repeated calls are counted together. */
export interface TemplateCalls {
  readonly kind: TemplateKind
  readonly file: string
  readonly count: number
  /** Milliseconds of all calls together, with the templates that they called. */
  readonly ms: number
  /** Milliseconds of the longest call. */
  readonly longest: number
  /** Number of characters that all calls printed; null when unknown. */
  readonly bytes: number | null
  readonly parts: readonly TemplateCalls[]
}

/** A location in a template. */
export interface RecordedPlace {
  readonly file: string
  readonly line: number
}

/** A statement of a query. */
export interface RecordedStatement {
  readonly sql: string
  readonly values: readonly unknown[]
  /** Number of rows; null when the statement failed. */
  readonly rows: number | null
  readonly ms: number
  /** Milliseconds until a connection was free; they are part of `ms`. */
  readonly waited: number
  readonly replica: boolean
  readonly transaction: boolean
  readonly error: string | null
}

interface RecordedQuery {
  readonly name: string
  /** Null outside of templates. */
  readonly place: RecordedPlace | null
  /** Milliseconds after the start of the request. */
  readonly at: number
  readonly ms: number
  /** Number of results in the lists at the top of the result; null for a failed query. */
  readonly rows: number | null
  /** Document of a query without a file; null for a query with a file. */
  readonly document: string | null
  readonly variables: unknown
  readonly error: string | null
  readonly statements: readonly RecordedStatement[]
}

export interface RecordedFragment {
  readonly key: string
  /** Whether the fragment was cached. Otherwise it was computed. */
  readonly hit: boolean
  readonly ms: number
  readonly place: RecordedPlace | null
}

/** A mail, a text message or an API call that was sent or queued, or that its template kept from being sent. */
export interface RecordedMessage {
  readonly channel: 'email' | 'sms' | 'api_call'
  /** Name of its template; null without one. */
  readonly name: string | null
  readonly to: string | null
  readonly subject: string | null
  readonly state: 'queued' | 'sent' | 'failed' | 'not sent'
  /** Id of the job that sends it; null when it was sent immediately. */
  readonly job: string | null
  readonly error: string | null
  /** Why it was not sent, and the location of the setting that says so; absent for other messages. */
  readonly reason?: string
  readonly place?: RecordedPlace
}

export interface RecordedJob {
  readonly id: string
  readonly name: string
  /** Seconds from now. */
  readonly delay: number
}

/** A line of the site's log, or an error that was printed in place. */
export interface RecordedLog {
  readonly type: string
  readonly message: unknown
  readonly file: string
  readonly line: number
  /** Whether it is an error that a template printed. */
  readonly isFault: boolean
}

export interface RecordedCall {
  readonly method: string
  readonly url: string
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
}

/** The visitor of a request, read when the request has been answered. */
export interface RecordedVisitor {
  readonly user: { readonly id: string; readonly email: string | null } | null
  readonly session: Readonly<Record<string, unknown>> | null
  readonly params: Readonly<Record<string, unknown>>
  /** Values that must not be recorded anywhere: tokens and ids of the session. */
  readonly secrets: readonly string[]
}

/** A running query. */
export interface OpenQuery {
  end(end: Pick<RecordedQuery, 'place' | 'rows' | 'error'>): void
}

/** Kinds of recorded work: pages, requests of scripts, of the REST API, of `POST /api/graph`, submitted forms, and jobs. */
export type RequestKind = 'page' | 'xhr' | 'rest' | 'graphql' | 'form' | 'job'

/** An answered request, or the outcome of a job. */
export interface RecordedAnswer {
  readonly id: string
  readonly kind: RequestKind
  /** Empty for a job. */
  readonly method: string
  /** Path with the query; empty for a job. */
  readonly url: string
  readonly host: string
  /** Address of the client. It connects a redirect with the request that follows it. */
  readonly address: string
  /** Null for a job. */
  readonly status: number | null
  readonly template: string | null
  readonly format: string | null
  /** Whether an open page requested itself again after a save. */
  readonly isUpdate: boolean
  readonly bytes: number | null
  readonly requestHeaders: Readonly<Record<string, unknown>>
  readonly responseHeaders: Readonly<Record<string, unknown>>
  readonly redirectTo: string | null
  readonly error: string | null
  readonly job: {
    readonly id: string
    readonly name: string
    readonly attempt: number
    readonly outcome: string
  } | null
}

export interface Recording {
  /** The file of the running template; null when none is running. */
  readonly template: string | null
  /** The queries so far, in the order in which they began. */
  readonly queries: readonly Pick<RecordedQuery, 'name' | 'place' | 'ms' | 'rows' | 'error'>[]
  /**
   * Records that a template begins. Returns a token for `templateEnded`. A template may be reported by its caller, by code around it, and by
   * itself, in this order; it is then counted once.
   */
  templateBegan(kind: TemplateKind, file: string, by: TemplateReporter): object
  /**
   * Records that a template has ended. Runs that began later and have not ended were left by an error.
   * @param bytes number of characters that it printed; null when unknown
   */
  templateEnded(begun: object, bytes: number | null): void
  /** Records that a template has caught an error, so that the templates it called have ended. */
  templateCaught(file: string): void
  /** Records the start of a query. Statements belong to the query that began last and has not ended. */
  query(query: { readonly name: string; readonly document: string | null; readonly variables: unknown }): OpenQuery
  statement(statement: RecordedStatement): void
  fragment(fragment: RecordedFragment): void
  message(message: RecordedMessage): void
  job(job: RecordedJob): void
  log(log: RecordedLog): void
  call(call: RecordedCall): void
  /** Records why the request fails. */
  failed(error: string): void
  /** Sets the function that returns the visitor. It is called once, after the answer. */
  visitor(read: () => RecordedVisitor): void
  /** Records the answer, which ends the recording. */
  answer(answer: RecordedAnswer): void
}
