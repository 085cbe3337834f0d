/** The data of one loaded site: opens its ports for requests, and answers documents that are sent from outside. */
import type { ExecutionResult, QueryHost } from '../../runtime/query/host.ts'
import { createCatalog } from '../../runtime/query/index.ts'
import type { Fields } from '../../runtime/services.ts'
import type { Files } from '../files/model.ts'
import { type Meter, newMeter } from '../services/meter.ts'
import type { RequestData } from '../site/host.ts'
import type { Session } from '../site/session.ts'
import type { AccountServices } from './accounts.ts'
import { createSiteFacts, type FactSource } from './facts.ts'
import { createHost, type HostParts } from './host.ts'
import { createPlans } from './plans.ts'
import { answer, createGraphqlPort } from './port.ts'
import type { GraphqlProcess } from './process.ts'

export interface SiteData {
  /** Data for one request. @param viewer id of the signed-in user @param session of the visitor @param throughForm sends forms as the visitor */
  open(viewer: string | null, session: Session | null, throughForm?: QueryHost['throughForm']): RequestData
  /** The database for what is no operation of GraphQL: forms. @param viewer id of the signed-in user */
  query(viewer: string | null): QueryHost
  /** Runs a document without a visitor. @param seconds in which all of it must be done */
  answer(document: string, operationName: string | null, variables: Fields, seconds: number): Promise<Answered>
}

export interface Answered {
  readonly result: ExecutionResult
  readonly meter: Meter
}

/** What a loaded site brings along. */
export interface SiteDataSource extends Omit<FactSource, 'sql'> {
  readonly accounts: AccountServices
  /** Absent or null where files are not kept. */
  readonly files?: Files | null
}

/** One for each site that is loaded. */
export function createSiteData(process: GraphqlProcess, { accounts, files, ...facts }: SiteDataSource): SiteData {
  const { loaded, tableIds } = facts
  const { site } = loaded
  const plans = createPlans(site.options.argumentMismatch === 'error')
  const parts: HostParts = {
    databases: process.databases,
    statements: process.statements,
    constants: process.constants,
    seal: process.seal,
    catalog: createCatalog(site.data, tableIds),
    options: { requireTableForDelete: site.options.requireTableForDelete },
    site: createSiteFacts({ ...facts, sql: process.databases.sql }),
    accounts,
    files: files ?? null,
    tokens: process.accountTokens,
    issuer: loaded.name,
  }
  return {
    open(viewer, session, throughForm = null) {
      const meter = newMeter()
      const host = createHost(parts, { viewer, session, throughForm, meter, deadline: null })
      return { graphql: createGraphqlPort({ site, plans, host }), meter }
    },
    query: (viewer) => createHost(parts, { viewer, session: null, meter: newMeter(), deadline: null }),
    async answer(document, operationName, variables, seconds) {
      const meter = newMeter()
      const deadline = performance.now() + seconds * 1000
      const host = createHost(parts, { viewer: null, session: null, meter, deadline })
      const result = await answer(document, () => plans.other(document, operationName), variables, host)
      return { result, meter }
    },
  }
}
