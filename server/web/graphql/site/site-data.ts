/** The data of one loaded site: opens it for requests and executes documents of outside clients. */
import type { ExecutionResult } from '../../../../runtime/data/query/host.ts'
import { createCatalog } from '../../../../runtime/data/query/index.ts'
import type { Catalog } from '../../../../runtime/data/query/model.ts'
import type { SiteFacts } from '../../../../runtime/data/query/site-facts.ts'
import type { Fields } from '../../../../runtime/page/services.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import type { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { PageEntry } from '../../../../runtime/page/site.ts'
import type { Files } from '../../files/model.ts'
import { NOBODY, type Uploader } from '../../files/uploader.ts'
import { type Meter, newMeter } from '../../../core/contracts/meter.ts'
import { countRows } from '../../site/recorded.ts'
import type { Recording } from '../../../core/contracts/recording.ts'
import type { RequestData } from '../../site/host.ts'
import type { AccountServices } from '../accounts/accounts.ts'
import type { OpenEffects } from '../host/effects.ts'
import { createSiteFacts, type FactSource } from './facts.ts'
import { createHost, type HostDependencies } from '../host/host.ts'
import type { PrintUpload } from '../host/uploads.ts'
import { createPlans } from '../templates/plans.ts'
import { runDocument } from '../templates/port.ts'
import type { GraphqlProcess } from '../process.ts'
import { RequestDatabase } from '../database/request-database.ts'
import { type DataRequest, OpenedData, type SharedData } from './opened-data.ts'

export interface SiteData {
  /** Opens the data for one request or job. */
  open(request: DataRequest): RequestData
  readonly catalog: Catalog
  /** The lists of deployed files. */
  readonly facts: SiteFacts
  /**
   * Plans the site's operations and opens connections in advance, so that the first visitors do not wait for this.
   * @param time milliseconds that planning may take
   */
  warm(time: number): Promise<void>
  /** Executes a document of a program. */
  answer(request: GraphqlRequest): Promise<GraphqlResponse>
}

/** A GraphQL document of an outside client. */
interface GraphqlRequest {
  readonly document: string
  readonly operationName: string | null
  readonly variables: Fields
  /** Timeout of the whole operation in seconds. */
  readonly seconds: number
  /** Id of the user as whom the program acts; absent or null for none. */
  readonly viewer?: string | null
  /** Returns the uploader whose files the request may claim. By default, no files may be claimed. */
  readonly uploader?: () => Uploader
  /** Prints HTML as PDF, as a document of the request's site; absent or null where nothing can be printed. */
  readonly print?: PrintUpload | null
  /** Absent or null when sending is disabled. */
  readonly effects?: OpenEffects | null
  /** Absent or null when nothing is recorded. */
  readonly recording?: Recording | null
}

interface GraphqlResponse {
  readonly result: ExecutionResult
  readonly meter: Meter
}

/** The properties of a loaded site that its data needs. */
export interface SiteDataSource extends Omit<FactSource, 'sql' | 'renderPage' | 'inFileOrder'> {
  /** The site whose queries run, if it is not the site whose tables and files they read. */
  readonly querying?: CompiledSite
  readonly accounts: AccountServices
  /** Absent or null without a file store. */
  readonly files?: Files | null
  /**
   * Renders a page for an anonymous visitor with the given data. Absent when pages are not rendered.
   * @throws LiquidFault
   */
  readonly renderPage?: (page: PageEntry, openData: SiteData['open']) => Promise<string>
  /** Maps the stack of a fault to templates. */
  readonly locate?: (fault: LiquidFault) => void
}

/** Query name for documents of outside clients in metrics, whatever their operation name. */
const EXTERNAL_QUERY = '(program)'

/** Connections opened before the first request of a process. */
const WARM_CONNECTIONS = 2

/** Creates the data of a loaded site. */
export function createSiteData(
  process: GraphqlProcess,
  { accounts, files, renderPage, querying, locate = () => undefined, ...facts }: SiteDataSource,
): SiteData {
  const { loadedSite, tableIds } = facts
  const { data } = loadedSite.site
  const site = querying ?? loadedSite.site
  const { argumentMismatch, argumentMismatchWritten = false } = site.options
  const plans = createPlans(
    ({ singleAsList: listed }) => argumentMismatch === 'error' && (argumentMismatchWritten || listed !== true),
  )
  const source = { ...facts, sql: process.databases.sql, inFileOrder: querying !== undefined }
  const hostDependencies: HostDependencies = {
    databases: process.databases,
    statements: process.statements,
    constants: process.constants,
    seal: process.seal,
    catalog: createCatalog(data, tableIds),
    options: { requireTableForDelete: site.options.requireTableForDelete },
    site: createSiteFacts({
      ...source,
      renderPage: renderPage === undefined ? null : (page) => renderPage(page, openForRendering),
    }),
    accounts,
    files: files ?? null,
    tokens: process.accountTokens,
    issuer: loadedSite.name,
  }
  const forTemplates: HostDependencies = {
    ...hostDependencies,
    options: { ...hostDependencies.options, floats: true, mismatch: site.options.argumentMismatch },
  }
  const shared: SharedData = { process, site, plans, parts: hostDependencies, forTemplates, locate }
  // A page that searches pages while it is rendered for the search would wait for itself. Therefore it searches
  // templates.
  const factsWithoutRendering = createSiteFacts({ ...source, renderPage: null })
  const sharedForRendering: SharedData = {
    ...shared,
    parts: { ...hostDependencies, site: factsWithoutRendering },
    forTemplates: { ...forTemplates, site: factsWithoutRendering },
  }
  function openForRendering(request: DataRequest): RequestData {
    return new OpenedData(sharedForRendering, request)
  }

  return {
    catalog: hostDependencies.catalog,
    facts: hostDependencies.site,
    open: (request) => new OpenedData(shared, request),
    async warm(time) {
      const { sql } = process.databases
      const connections = Promise.all(Array.from({ length: WARM_CONNECTIONS }, () => sql`select 1`))
      const deadline = performance.now() + time
      for (const { document } of Object.values(site.operations)) {
        if (performance.now() > deadline) break
        plans.warm(document)
      }
      await connections
    },
    async answer({
      document,
      operationName,
      variables,
      seconds,
      viewer = null,
      uploader = () => NOBODY,
      effects = null,
      print = null,
      recording = null,
    }) {
      const meter = newMeter(() => recording)
      const recorded = recording?.query({ name: operationName ?? EXTERNAL_QUERY, document, variables })
      const database = new RequestDatabase(hostDependencies, meter, performance.now() + seconds * 1000)
      const host = createHost(hostDependencies, {
        viewer,
        session: null,
        uploader,
        database,
        effects,
        print,
      }).withQueryName(EXTERNAL_QUERY)
      const result = await runDocument(
        document,
        () => plans.planDocument(document, operationName),
        variables,
        host,
        'null',
      )
      recorded?.end({ place: null, rows: countRows(result.data), error: result.errors?.[0]?.message ?? null })
      return { result, meter }
    },
  }
}
