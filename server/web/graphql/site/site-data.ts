/** The data of one loaded site: opens its ports for requests, and executes documents of outside clients. */
import type { ExecutionResult } from '../../../../runtime/data/query/host.ts'
import { createCatalog } from '../../../../runtime/data/query/index.ts'
import type { Catalog } from '../../../../runtime/data/query/model.ts'
import type { Fields } from '../../../../runtime/page/services.ts'
import type { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { PageEntry } from '../../../../runtime/page/site.ts'
import type { Files } from '../../files/model.ts'
import { NOBODY, type Uploader } from '../../files/uploader.ts'
import { type Meter, newMeter } from '../../../core/contracts/meter.ts'
import type { RequestData } from '../../site/host.ts'
import type { AccountServices } from '../accounts/accounts.ts'
import type { OpenEffects } from '../host/effects.ts'
import { createSiteFacts, type FactSource } from './facts.ts'
import { createHost, type HostParts } from '../host/host.ts'
import { createPlans } from '../templates/plans.ts'
import { answer } from '../templates/port.ts'
import type { GraphqlProcess } from '../process.ts'
import { RequestDatabase } from '../database/request-database.ts'
import { type OpenData, OpenedData, type SharedData } from './opened-data.ts'

export interface SiteData {
  /** Opens the data for one request or job. */
  open(request: OpenData): RequestData
  readonly catalog: Catalog
  /**
   * Plans the operations of the site before anybody asks for them, and opens connections, so that the first visitors do not wait for that.
   * @param time milliseconds that the planning may take
   */
  warm(time: number): Promise<void>
  /** Executes a document without a visitor. */
  answer(asked: GraphqlRequest): Promise<GraphqlResponse>
}

/** A document of an outside client. */
export interface GraphqlRequest {
  readonly document: string
  readonly operationName: string | null
  readonly variables: Fields
  /** Timeout of the whole operation. */
  readonly seconds: number
  /** See `HostRequest`. */
  readonly uploader?: () => Uploader
  /** Absent or null when nothing is sent. */
  readonly effects?: OpenEffects | null
}

export interface GraphqlResponse {
  readonly result: ExecutionResult
  readonly meter: Meter
}

/** What a loaded site provides. */
export interface SiteDataSource extends Omit<FactSource, 'sql' | 'print'> {
  readonly accounts: AccountServices
  /** Absent or null without a file store. */
  readonly files?: Files | null
  /**
   * Prints a page for an anonymous visitor, with data of this kind; absent where pages are not printed.
   * @throws LiquidFault
   */
  readonly print?: (page: PageEntry, open: SiteData['open']) => Promise<string>
  /** Finds the templates of a stack. */
  readonly locate?: (fault: LiquidFault) => void
}

/** What the queries of programs are called, whatever name they give themselves. */
const PROGRAM = '(program)'

/** Connections that are opened before the first visitor of a process comes. */
const WARM_CONNECTIONS = 2

/** Creates the data of a loaded site. */
export function createSiteData(
  process: GraphqlProcess,
  { accounts, files, print, locate = () => undefined, ...facts }: SiteDataSource,
): SiteData {
  const { loaded, tableIds } = facts
  const { site } = loaded
  const { argumentMismatch, argumentMismatchWritten = false } = site.options
  const plans = createPlans(
    ({ singleAsList: listed }) => argumentMismatch === 'error' && (argumentMismatchWritten || listed !== true),
  )
  const source = { ...facts, sql: process.databases.sql }
  const parts: HostParts = {
    databases: process.databases,
    statements: process.statements,
    constants: process.constants,
    seal: process.seal,
    catalog: createCatalog(site.data, tableIds),
    options: { requireTableForDelete: site.options.requireTableForDelete },
    site: createSiteFacts({ ...source, print: print === undefined ? null : (page) => print(page, openPlain) }),
    accounts,
    files: files ?? null,
    tokens: process.accountTokens,
    issuer: loaded.name,
  }
  const forTemplates: HostParts = {
    ...parts,
    options: { ...parts.options, floats: true, mismatch: site.options.argumentMismatch },
  }
  const shared: SharedData = { process, site, plans, parts, forTemplates, locate }
  // A page that searches in pages while it is printed finds templates: it would wait for itself.
  const plain = createSiteFacts({ ...source, print: null })
  const printing: SharedData = {
    ...shared,
    parts: { ...parts, site: plain },
    forTemplates: { ...forTemplates, site: plain },
  }
  function openPlain(request: OpenData): RequestData {
    return new OpenedData(printing, request)
  }

  return {
    catalog: parts.catalog,
    open: (request) => new OpenedData(shared, request),
    async warm(time) {
      const { sql } = process.databases
      const connections = Promise.all(Array.from({ length: WARM_CONNECTIONS }, () => sql`select 1`))
      const end = performance.now() + time
      for (const { document } of Object.values(site.operations)) {
        if (performance.now() > end) break
        plans.warm(document)
      }
      await connections
    },
    async answer({ document, operationName, variables, seconds, uploader = () => NOBODY, effects = null }) {
      const meter = newMeter()
      const database = new RequestDatabase(parts, meter, performance.now() + seconds * 1000)
      const host = createHost(parts, { viewer: null, session: null, uploader, database, effects }).named(PROGRAM)
      const result = await answer(document, () => plans.other(document, operationName), variables, host, 'null')
      return { result, meter }
    },
  }
}
