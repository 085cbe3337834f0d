/** A site that is being served: what was loaded, with everything that answering its requests needs. */
import type { Limits } from '../../runtime/render.ts'
import type { Services } from '../../runtime/services.ts'
import type { Routes } from '../http/routes.ts'
import type { Logger } from '../services/log.ts'
import type { Markdown } from '../services/markdown.ts'
import type { HostFacts } from './context.ts'
import type { LoadedSite } from './load.ts'
import type { ReplyCache } from './reply-cache.ts'

export interface SiteHost {
  readonly loaded: LoadedSite
  readonly routes: Routes
  readonly services: Services
  readonly facts: HostFacts
  readonly limits: Limits
  readonly markdown: Markdown
  readonly replies: ReplyCache
  readonly logger: Logger
}
