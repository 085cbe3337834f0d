/** A site that is being served: what was loaded, with everything that answering its requests needs. */
import type { FormState } from '../../runtime/data/forms/model.ts'
import type { JobOrigin, JobRequest } from '../../runtime/data/jobs.ts'
import type { QueryHost } from '../../runtime/data/query/host.ts'
import type { Limits, Render } from '../../runtime/page/render.ts'
import type { FormPort, GraphqlPort, JobPort, Services, TransactionPort } from '../../runtime/page/services.ts'
import type { PageEntry, Scope } from '../../runtime/page/site.ts'
import type { Request } from '../http/message.ts'
import type { Params } from '../http/params.ts'
import type { Routes } from '../http/routes.ts'
import type { Logger, SiteLog } from '../contracts/log.ts'
import type { Markdown } from '../contracts/markdown.ts'
import type { Meter } from '../contracts/meter.ts'
import type { HostFacts } from './context.ts'
import type { LoadedSite } from './load.ts'
import type { ReplyCache } from './reply-cache.ts'
import type { OpenSession, Session } from './session.ts'

/** What one request has of the site's data. */
export interface RequestData {
  readonly graphql: GraphqlPort
  /** Queues in the transaction that is open. */
  readonly jobs: JobPort
  readonly transactions: TransactionPort
  readonly meter: Meter
  /** The database for what is no operation of GraphQL: forms. @param viewer id of the user who acts, null for none */
  query(viewer: string | null): QueryHost
  /** Queues in the transaction that is open. @throws LiquidFault for what cannot be stored, and where the queue is away */
  queue(jobs: readonly JobRequest[]): Promise<readonly string[]>
  /** What queued jobs know of the request at this moment. */
  readonly origin: () => JobOrigin
  /** Whether a template has opened a transaction that has not ended. */
  readonly inTransaction: () => boolean
}

/** A request with what is known of its visitor, on its way through the site. */
export interface Visit {
  readonly request: Request
  /** Parameters of the query, the body and the route. */
  readonly params: Params
  /** Null where there is no database. */
  readonly session: Session | null
  readonly data: RequestData | null
  /** A form that was sent and refused: the page that holds it shows it again. */
  readonly failed: FailedForm | null
  /** What its renders share. */
  readonly shared: SharedVisitState
  /** What stands for the visitor in a job; null in a request. */
  readonly job: JobContext | null
}

export interface SharedVisitState {
  /** Of the page, or whatever was rendered first: templates may change the language in it. */
  context: Scope | null
}

/** How what runs in a job renders. */
export interface JobContext {
  /** Of the job in the queue; absent for a migration. */
  readonly id?: string
  readonly origin: JobOrigin
  /** The context of one of its renders. */
  readonly context: () => Scope
  readonly limits: Limits
}

export interface FailedForm {
  readonly name: string
  /** As sent: the id of the resource, null for a new one. */
  readonly id: string | null
  readonly state: FormState
}

/** Makes the form port of one render. `page` is null outside of a page. */
export type OpenForms = (visit: Visit, render: () => Render, page: PageEntry | null) => FormPort

export interface AttemptLimit {
  /**
   * Asks for an attempt at a password, and counts it as failed.
   * @param account what the password opens
   * @returns seconds after which to come again, where there were too many @throws SessionsAway
   */
  check(address: string, account: string): Promise<'free' | { readonly retryAfter: number }>
  /** The attempt did not fail. @throws SessionsAway */
  succeeded(address: string, account: string): Promise<void>
}

export interface SiteHost {
  readonly loaded: LoadedSite
  readonly routes: Routes
  readonly services: Services
  /**
   * Opens the data for one request, or one job; `viewer` is the id of the signed-in user, `visit` the visit that the data become
   * part of. Null where there is no database.
   */
  readonly data: ((viewer: string | null, session: Session | null, visit: () => Visit) => RequestData) | null
  /** Null where there is no database, or nothing is remembered of visitors. */
  readonly sessions: OpenSession | null
  readonly forms: OpenForms | null
  /** Limits how often a password may be tried. Null where there are no accounts. */
  readonly attempts: AttemptLimit | null
  readonly facts: HostFacts
  readonly limits: Limits
  readonly markdown: Markdown
  readonly replies: ReplyCache
  /** Stands for CSRF tokens in cached fragments. */
  readonly mark: string
  /** Of the process. */
  readonly logger: Logger
  /** Of the site. */
  readonly log: SiteLog
}
