/** The site's data, opened for one request or job. */
import type { JobOrigin, JobRequest } from '../../../../runtime/data/jobs.ts'
import type { QueryHost } from '../../../../runtime/data/query/host.ts'
import type { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { GraphqlPort, JobPort, TransactionPort } from '../../../../runtime/page/services.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import { newMeter } from '../../../core/contracts/meter.ts'
import type { Span } from '../../../core/contracts/tracer.ts'
import { NOBODY, type Uploader } from '../../files/uploader.ts'
import type { RequestData } from '../../site/host.ts'
import { recordQueued } from '../host/recorded-queue.ts'
import type { Session } from '../../site/session.ts'
import { RequestDatabase } from '../database/request-database.ts'
import type { OpenEffects } from '../host/effects.ts'
import { createHost, type HostDependencies } from '../host/host.ts'
import type { GraphqlProcess } from '../process.ts'
import type { Plans } from '../templates/plans.ts'
import { createGraphqlPort } from '../templates/port.ts'
import { createJobPort, createTransactionPort, queueJobs, createQueueRunner } from '../templates/ports.ts'
import type { PrintUpload } from '../host/uploads.ts'
import { createQueryWatch } from '../templates/query-watch.ts'

/** The properties of a request or job that its data needs. */
export interface DataRequest {
  /** Id of the signed-in user. */
  readonly viewer: string | null
  /** The visitor's session; null for jobs. */
  readonly session: Session | null
  /** Submits forms as the visitor. */
  readonly throughForm?: QueryHost['submitForm']
  /** Returns the uploader whose files the request may claim. By default, no files may be claimed. */
  readonly uploader?: () => Uploader
  /** Prints HTML as PDF, as a document of the request's site; absent or null where nothing can be printed. */
  readonly print?: PrintUpload | null
  /** Returns the origin of queued jobs. It is read when a job is queued. */
  readonly origin: () => JobOrigin
  /** Returns the fields that identify the request or job in the log. */
  readonly about?: () => object
  /** Returns the tracing span that its queries belong to. */
  readonly span?: () => Span | null
  /** Absent or null when sending is disabled. */
  readonly effects?: OpenEffects | null
  /** Present in the studio: who makes the changes of the request, and whether it may make any. */
  readonly changes?: ChangeRules
}

/** What a request of the studio may change, and who does so. */
export interface ChangeRules {
  /** Stored with every change. */
  readonly actor: { readonly id: string | null; readonly name: string }
  /** Why mutations are refused, as a sentence; null when they are allowed. */
  readonly refusal: string | null
}

/** The dependencies that all requests of a process share. */
export interface SharedData {
  readonly process: GraphqlProcess
  readonly site: CompiledSite
  readonly plans: Plans
  /** Host objects for forms and for templates. Queries of templates are lenient when the site's options say so. */
  readonly parts: HostDependencies
  readonly forTemplates: HostDependencies
  /** Maps the stack of a fault to templates. */
  readonly locate: (fault: LiquidFault) => void
}

/** Implemented as a class with lazy getters, because every request opens its data and most use only one part of it. */
export class OpenedData implements RequestData {
  readonly meter = newMeter(() => this.#request.span?.()?.recording ?? null)
  readonly #shared: SharedData
  readonly #request: DataRequest
  readonly #database: RequestDatabase
  #graphql: GraphqlPort | null = null

  constructor(shared: SharedData, request: DataRequest) {
    this.#shared = shared
    this.#request = request
    this.#database = new RequestDatabase(
      shared.parts,
      this.meter,
      null,
      request.changes === undefined ? null : JSON.stringify(request.changes.actor),
    )
  }

  get graphql(): GraphqlPort {
    return (this.#graphql ??= this.#openGraphql())
  }

  get jobs(): JobPort {
    const recorded = this.#recordQueued
    return createJobPort(this.#shared.site, this.#database, this.#request.origin, recorded)
  }

  get transactions(): TransactionPort {
    return createTransactionPort(this.#database)
  }

  origin(): JobOrigin {
    return this.#request.origin()
  }

  query(viewer: string | null): QueryHost {
    const { uploader = noUploader, effects = null, print = null } = this.#request
    return createHost(this.#shared.parts, { viewer, session: null, uploader, database: this.#database, effects, print })
  }

  async queue(jobs: readonly JobRequest[]): Promise<readonly string[]> {
    const ids = await queueJobs(jobs, createQueueRunner(this.#database))
    this.#recordQueued(jobs, ids)
    return ids
  }

  readonly #recordQueued = (jobs: readonly JobRequest[], ids: readonly string[]): void =>
    recordQueued(this.meter.recording(), jobs, ids)

  inTransaction(): boolean {
    return this.#database.inBlock
  }

  #openGraphql(): GraphqlPort {
    const { process, site, plans, forTemplates, locate } = this.#shared
    const { viewer, session, throughForm = null, uploader = noUploader, effects = null, print = null } = this.#request
    const { about = () => ({}), span = () => null } = this.#request
    const database = this.#database
    const host = createHost(forTemplates, { viewer, session, throughForm, uploader, database, effects, print })
    const { observer, logger } = process
    const watch = observer === null ? null : createQueryWatch({ observer, host, logger, locate, about, span })
    return createGraphqlPort({ site, plans, host, watch, refusal: this.#request.changes?.refusal ?? null })
  }
}

function noUploader(): Uploader {
  return NOBODY
}
