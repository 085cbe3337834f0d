/** The composition root: a loaded site, the ports and the limits become one handler. The site can be swapped under it. */
import { locate } from '../runtime/locate.ts'
import { DEFAULT_LIMITS, type Limits } from '../runtime/render.ts'
import type { Handler } from './http/message.ts'
import { createRoutes } from './http/routes.ts'
import { systemClock } from './services/clock.ts'
import { type Logger, logPort } from './services/log.ts'
import { createMarkdown } from './services/markdown.ts'
import { memoryCache } from './services/memory-cache.ts'
import { createServices } from './services/services.ts'
import { answer } from './site/answer.ts'
import type { Environment } from './settings.ts'
import type { SiteHost } from './site/host.ts'
import type { LoadedSite } from './site/load.ts'
import { createReplyCache } from './site/reply-cache.ts'

export interface AppOptions {
  readonly environment: Environment
  readonly version: string
  readonly constants: Readonly<Record<string, string>>
  readonly logger: Logger
  readonly limits?: Limits
}

export interface App {
  readonly handler: Handler
  /** Serves another site from the next request on; what was cached of the old one is forgotten. */
  swap(loaded: LoadedSite): void
}

export function createApp(first: LoadedSite, options: AppOptions): App {
  let loaded = first
  const cache = memoryCache(systemClock)
  const markdown = createMarkdown()
  const services = createServices({
    site: () => loaded.site,
    locate: (fault) => locate(fault, loaded.places),
    cache,
    log: logPort(options.logger, options.environment),
  })
  let host = hostOf()

  function hostOf(): SiteHost {
    const { environment, version, constants, logger } = options
    return {
      loaded,
      routes: createRoutes(loaded.site.pages, loaded.site.options),
      services,
      facts: { environment, version, siteName: loaded.name, constants },
      limits: options.limits ?? DEFAULT_LIMITS,
      markdown,
      replies: createReplyCache(systemClock),
      logger,
    }
  }

  return {
    handler: (request) => answer(host, request),
    swap(next) {
      loaded = next
      cache.clear()
      host = hostOf()
    },
  }
}
