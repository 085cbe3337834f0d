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
import type { Session } from '../../site/session.ts'
import { RequestDatabase } from '../database/request-database.ts'
import type { OpenEffects } from '../host/effects.ts'
import { createHost, type HostParts } from '../host/host.ts'
import type { GraphqlProcess } from '../process.ts'
import type { Plans } from '../templates/plans.ts'
import { createGraphqlPort } from '../templates/port.ts'
import { createJobPort, createTransactionPort, queueJobs, runnerOf } from '../templates/ports.ts'
import { createQueryWatch } from '../templates/query-watch.ts'

/** The context that data is opened for. */
export interface OpenData {
  /** Id of the signed-in user. */
  readonly viewer: string | null
  /** The visitor's session; null for jobs. */
  readonly session: Session | null
  /** Submits forms as the visitor. */
  readonly throughForm?: QueryHost['submitForm']
  /** See `HostRequest`. */
  readonly uploader?: () => Uploader
  /** What queued jobs know of their origin, read when they are queued. */
  readonly origin: () => JobOrigin
  /** What identifies the request or job in the log. */
  readonly about?: () => object
  /** The span that its queries belong to. */
  readonly span?: () => Span | null
  /** Absent or null when nothing is sent. */
  readonly effects?: OpenEffects | null
}

/** What all requests of a process share. */
export interface SharedData {
  readonly process: GraphqlProcess
  readonly site: CompiledSite
  readonly plans: Plans
  /** For forms, and for templates, whose queries are lenient where the site says so. */
  readonly parts: HostParts
  readonly forTemplates: HostParts
  /** Finds the templates of a stack. */
  readonly locate: (fault: LiquidFault) => void
}

/** A class, because every request opens its data and most use only one part of it. */
export class OpenedData implements RequestData {
  readonly meter = newMeter()
  readonly #shared: SharedData
  readonly #request: OpenData
  readonly #database: RequestDatabase
  #graphql: GraphqlPort | null = null

  constructor(shared: SharedData, request: OpenData) {
    this.#shared = shared
    this.#request = request
    this.#database = new RequestDatabase(shared.parts, this.meter, null)
  }

  get graphql(): GraphqlPort {
    return (this.#graphql ??= this.#openGraphql())
  }

  get jobs(): JobPort {
    return createJobPort(this.#shared.site, this.#database, this.#request.origin)
  }

  get transactions(): TransactionPort {
    return createTransactionPort(this.#database)
  }

  origin(): JobOrigin {
    return this.#request.origin()
  }

  query(viewer: string | null): QueryHost {
    const { uploader = noUploader, effects = null } = this.#request
    return createHost(this.#shared.parts, { viewer, session: null, uploader, database: this.#database, effects })
  }

  queue(jobs: readonly JobRequest[]): Promise<readonly string[]> {
    return queueJobs(jobs, runnerOf(this.#database))
  }

  inTransaction(): boolean {
    return this.#database.inBlock
  }

  #openGraphql(): GraphqlPort {
    const { process, site, plans, forTemplates, locate } = this.#shared
    const { viewer, session, throughForm = null, uploader = noUploader, effects = null } = this.#request
    const { about = () => ({}), span = () => null } = this.#request
    const database = this.#database
    const host = createHost(forTemplates, { viewer, session, throughForm, uploader, database, effects })
    const { observer, logger } = process
    const watch = observer === null ? null : createQueryWatch({ observer, host, logger, locate, about, span })
    return createGraphqlPort({ site, plans, host, watch })
  }
}

function noUploader(): Uploader {
  return NOBODY
}
