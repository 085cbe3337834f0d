/** The current site with everything that is needed to answer its requests. */
import type { FormState } from '../../../runtime/data/forms/model.ts'
import type { JobOrigin, JobRequest } from '../../../runtime/data/jobs.ts'
import type { QueryHost } from '../../../runtime/data/query/host.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { Limits } from '../../../runtime/page/limits.ts'
import type {
  FetchPort,
  FormPort,
  GraphqlPort,
  JobPort,
  Services,
  TransactionPort,
} from '../../../runtime/page/services.ts'
import type { PageEntry, Scope } from '../../../runtime/page/site.ts'
import type { Request } from '../http/message.ts'
import type { Params } from '../http/params.ts'
import type { Routes } from '../http/routes.ts'
import type { Logger, SiteLog } from '../../core/contracts/log.ts'
import type { Markdown } from '../../core/contracts/markdown.ts'
import type { Observer } from '../../core/contracts/observer.ts'
import type { Span } from '../../core/contracts/tracer.ts'
import type { Meter } from '../../core/contracts/meter.ts'
import type { HostFacts } from './context.ts'
import type { Inspect } from './stopped-frame.ts'
import type { KeptPages } from './kept-pages.ts'
import type { LoadedSite } from './load.ts'
import type { RequestReads } from './request-reads.ts'
import type { ReplyCache } from './reply-cache.ts'
import type { OpenSession, Session } from './session.ts'

/** The site's data opened for one request. */
export interface RequestData {
  readonly graphql: GraphqlPort
  /** Queues jobs in the open transaction. */
  readonly jobs: JobPort
  readonly transactions: TransactionPort
  readonly meter: Meter
  /**
   * Database access for forms, which are not GraphQL operations.
   * @param viewer id of the acting user, null for none
   */
  query(viewer: string | null): QueryHost
  /**
   * Queues in the open transaction.
   * @throws LiquidFault for values that cannot be stored, and when the queue is unavailable
   */
  queue(jobs: readonly JobRequest[]): Promise<readonly string[]>
  /** Returns the facts about the request that are stored with jobs queued now. */
  origin(): JobOrigin
  /** Whether a template has opened a transaction that has not ended. */
  inTransaction(): boolean
}

/** A request and its visitor, passed along while it is answered. */
export interface Visit {
  readonly request: Request
  /** Parameters of the query, the body and the route. */
  readonly params: Params
  /** Null without a database. */
  readonly session: Session | null
  readonly data: RequestData | null
  /** A refused form, which its page shows again with the errors. Null otherwise. */
  readonly failedForm: FailedForm | null
  /** State shared by all renders of the visit. */
  readonly sharedState: SharedVisitState
  /** The origin of a job, which replaces the visitor; null in a request. */
  readonly job: JobContext | null
  /** The token of an API client; absent for a visitor. */
  readonly bearer?: VisitToken
}

/** The token of an API client. */
export interface VisitToken {
  readonly id: string | null
  readonly scope: string
  /** Id of the user as whom the client acts; null for a token of the instance. */
  readonly user: string | null
}

export interface SharedVisitState {
  /** The context of the page, or of the first render; templates may change the language in it. */
  context: Scope | null
  /** The span that new work belongs to; absent when nothing is traced. */
  span?: Span
  /** Counts reads of the visitor's request, for a page that may be cached. */
  reads?: RequestReads
  /**
   * Whether something was read that may differ for another request to the same URL: from the visitor, the database, the
   * clock, or another server.
   */
  varies?: boolean
  /** Whether a template has read the host that the request named. */
  readsHost?: boolean
}

/** Returns the span that new work of a visit belongs to; null when nothing is traced. */
export function currentSpan({ sharedState, request }: Visit): Span | null {
  return sharedState.span ?? request.span ?? null
}

/** Options for the renders of a job. */
export interface JobContext {
  /** Id of the job in the queue; absent for a migration. */
  readonly id?: string
  readonly origin: JobOrigin
  /** Creates the context of a render. */
  readonly context: () => Scope
  readonly limits: Limits
}

export interface FailedForm {
  readonly name: string
  /** Id of the resource as sent, null for a new one. */
  readonly id: string | null
  readonly state: FormState
}

/** Creates the form port of one render. `page` is null outside of a page. */
export type OpenForms = (visit: Visit, render: () => Render, page: PageEntry | null) => FormPort

interface AttemptLimit {
  /**
   * Reserves an attempt to enter a password. The attempt is counted as failed in advance.
   * @param account identifies the area that the password protects
   * @returns the seconds to wait, when there were too many attempts
   * @throws SessionsAway
   */
  check(address: string, account: string): Promise<'free' | { readonly retryAfter: number }>
  /**
   * Records that the attempt succeeded.
   * @throws SessionsAway
   */
  succeeded(address: string, account: string): Promise<void>
}

export interface SiteHost {
  readonly loadedSite: LoadedSite
  readonly routes: Routes
  readonly services: Services
  /**
   * Opens the data for one request or job; `viewer` is the id of the signed-in user, `visit` returns the visit that the
   * data belongs to. Null without a database.
   */
  readonly data: ((viewer: string | null, session: Session | null, visit: () => Visit) => RequestData) | null
  /** Null without a database or sessions. */
  readonly sessions: OpenSession | null
  readonly forms: OpenForms | null
  /** Limits attempts to enter passwords. Null without accounts. */
  readonly attempts: AttemptLimit | null
  readonly facts: HostFacts
  readonly limits: Limits
  readonly markdown: Markdown
  /**
   * Prints HTML as PDF, as a document of the visit's site. Null when nothing can be printed.
   * @param time milliseconds that it may take
   * @throws PrintFailure
   */
  readonly print: ((html: string, visit: Visit, time: number) => Promise<Uint8Array>) | null
  readonly replies: ReplyCache
  /** Cached answers of pages that depend on their URL only. */
  readonly keptPages: KeptPages
  /** Returns the host for links in mails and jobs; see `HostNames.lasting`. */
  readonly lastingHost: (host: string) => string
  /** Whether search engines must not index the site. */
  readonly hidden: boolean
  /** Host names that are always allowed as redirect targets; `*.` matches any subdomain. */
  readonly redirectHosts: readonly string[]
  /** Placeholder for CSRF tokens in cached fragments. */
  readonly tokenPlaceholder: string
  /** The log of the process. */
  readonly logger: Logger
  /** The log of the site. */
  readonly log: SiteLog
  /** Absent or null without metrics and traces. */
  readonly observer?: Observer | null
  /** In development: reads the variables of a page that fails. */
  readonly inspect?: Inspect
  /** Creates a port whose downloads belong to a span; absent when nothing is traced. */
  readonly fetchWithin?: (span: Span | null) => FetchPort
}
