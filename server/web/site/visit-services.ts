/**
 * The ports of a visit. Queries run as its visitor and are counted for its request. Each port is opened on first use. Use
 * of a port is recorded, because its results may differ for the next request; only the URLs of assets depend on the build.
 */
import type { Render } from '../../../runtime/page/render.ts'
import type {
  CachePort,
  FetchPort,
  FormPort,
  GraphqlPort,
  JobPort,
  LogPort,
  Services,
  SessionPort,
  TransactionPort,
} from '../../../runtime/page/services.ts'
import type { LiquidFault } from '../../../runtime/page/fault.ts'
import type { PageEntry } from '../../../runtime/page/site.ts'
import { createLogPort } from '../../core/services/log.ts'
import { type SiteHost, currentSpan, type Visit } from './host.ts'
import { createLogOrigin } from './log-origin.ts'
import { recordedCache, recordedLog, recordingOf } from './recorded.ts'
import { visitorCache } from './visitor-cache.ts'

export class VisitServices implements Services {
  readonly #host: SiteHost
  readonly #visit: Visit
  readonly #page: PageEntry | null
  readonly #render: () => Render
  #forms: FormPort | null | undefined
  #cache: CachePort | null | undefined
  #log: LogPort | undefined

  /**
   * @param page null outside of pages
   * @param render returns the render that uses the ports
   */
  constructor(host: SiteHost, visit: Visit, page: PageEntry | null, render: () => Render) {
    this.#host = host
    this.#visit = visit
    this.#page = page
    this.#render = render
  }

  get graphql(): GraphqlPort | null {
    this.#varies()
    return this.#visit.data?.graphql ?? null
  }

  get jobs(): JobPort | null {
    this.#varies()
    return this.#visit.data?.jobs ?? null
  }

  get transactions(): TransactionPort | null {
    this.#varies()
    return this.#visit.data?.transactions ?? null
  }

  get sessions(): SessionPort | null {
    this.#varies()
    return this.#visit.session
  }

  get forms(): FormPort | null {
    this.#varies()
    if (this.#forms === undefined) {
      const { forms } = this.#host
      this.#forms = forms === null ? null : forms(this.#visit, this.#render, this.#page)
    }
    return this.#forms
  }

  get cache(): CachePort | null {
    this.#varies()
    if (this.#cache === undefined) this.#cache = createVisitCache(this.#host, this.#visit)
    return this.#cache
  }

  /** Downloads belong to the current span of the visit. */
  get fetch(): FetchPort | null {
    this.#varies()
    const { fetchWithin, services } = this.#host
    return fetchWithin === undefined ? services.fetch : fetchWithin(currentSpan(this.#visit))
  }

  get log(): LogPort {
    this.#varies()
    return (this.#log ??= visitLog(this.#host, this.#visit, this.#page))
  }

  get accounts(): Services['accounts'] {
    this.#varies()
    return this.#host.services.accounts
  }

  get challenge(): Services['challenge'] {
    this.#varies()
    return this.#host.services.challenge
  }

  get assets(): Services['assets'] {
    return this.#host.services.assets
  }

  get clock(): Services['clock'] {
    this.#varies()
    return this.#host.services.clock
  }

  get random(): Services['random'] {
    this.#varies()
    return this.#host.services.random
  }

  #varies(): void {
    this.#visit.sharedState.varies = true
  }

  locate(fault: LiquidFault): void {
    this.#host.services.locate(fault)
  }
}

/** Returns the log of a visit. @param page null outside of pages */
export function visitLog(host: SiteHost, visit: Visit, page: PageEntry | null): LogPort {
  const log = createLogPort(host.log, () => createLogOrigin(visit, page))
  const recording = recordingOf(visit)
  return recording === null ? log : recordedLog(log, recording)
}

function createVisitCache(host: SiteHost, visit: Visit): CachePort | null {
  const cache = visitCache(host, visit)
  const recording = recordingOf(visit)
  return cache === null || recording === null ? cache : recordedCache(cache, recording, host.services.locate)
}

/**
 * Returns the fragment cache of a visit. A refused form is never cached, and neither is anything rendered in an open
 * transaction, which may be rolled back.
 */
function visitCache(
  { services: { cache }, tokenPlaceholder, lastingHost }: SiteHost,
  { request, session, failedForm, data }: Visit,
): CachePort | null {
  if (cache === null || failedForm !== null) return cache === null ? null : NO_CACHE
  const kept = visitorCache(cache, tokenPlaceholder, request, session, lastingHost)
  if (data === null) return kept
  return {
    fragment: (key, expire, compute) => (data.inTransaction() ? NO_CACHE : kept).fragment(key, expire, compute),
  }
}

const NO_CACHE: CachePort = { fragment: async (_key, _expire, compute) => (await compute()).text }
