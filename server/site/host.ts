/** A site that is being served: what was loaded, with everything that answering its requests needs. */
import type { Limits } from '../../runtime/render.ts'
import type { GraphqlPort, Services } from '../../runtime/services.ts'
import type { Routes } from '../http/routes.ts'
import type { Logger } from '../services/log.ts'
import type { Markdown } from '../services/markdown.ts'
import type { Meter } from '../services/meter.ts'
import type { HostFacts } from './context.ts'
import type { LoadedSite } from './load.ts'
import type { ReplyCache } from './reply-cache.ts'

/** What one request has of the site's data. */
export interface RequestData {
  readonly graphql: GraphqlPort
  readonly meter: Meter
}

export interface SiteHost {
  readonly loaded: LoadedSite
  readonly routes: Routes
  readonly services: Services
  /** Opens the data for one request; `viewer` is the id of the signed-in user. Null where there is no database. */
  readonly data: ((viewer: string | null) => RequestData) | null
  readonly facts: HostFacts
  readonly limits: Limits
  readonly markdown: Markdown
  readonly replies: ReplyCache
  readonly logger: Logger
}
