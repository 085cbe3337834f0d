/** The ports that this host offers to templates. A missing port is null; using it raises an error that says so. */
import type { AccountPort, ChallengePort, FetchPort, LogPort, Services } from '../../../runtime/page/services.ts'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import { assetUrls } from './asset-urls.ts'
import { systemClock } from './clock.ts'
import { systemRandom } from './random.ts'

export interface Ports {
  /** Returns the site being served. */
  readonly site: () => CompiledSite
  /** Beginning of the URLs of assets; empty by default. */
  readonly assetsUrl?: string
  readonly locate: Services['locate']
  /** Null without a database. */
  readonly accounts: AccountPort | null
  readonly challenge: ChallengePort
  /** Downloads files for templates. Without this port, templates cannot download. */
  readonly fetch?: FetchPort
  readonly log: LogPort
}

/** Creates the ports. A process has one set. */
export function createServices({ site, assetsUrl, locate, accounts, challenge, fetch, log }: Ports): Services {
  return {
    graphql: null,
    jobs: null,
    forms: null,
    sessions: null,
    accounts,
    challenge,
    transactions: null,
    cache: null,
    assets: assetUrls(site, assetsUrl),
    fetch: fetch ?? null,
    clock: systemClock,
    random: systemRandom,
    log,
    locate,
  }
}
