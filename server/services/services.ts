/** The ports that this host offers to templates. The others are null: reaching one says so plainly. */
import { locate } from '../../runtime/locate.ts'
import type { LogPort, Services } from '../../runtime/services.ts'
import type { LoadedSite } from '../site/load.ts'
import { assetUrls } from './asset-urls.ts'
import { systemClock } from './clock.ts'
import type { MemoryCache } from './memory-cache.ts'
import { systemRandom } from './random.ts'

/** One for the process. @param loaded gives the site that is served now */
export function createServices(loaded: () => LoadedSite, cache: MemoryCache, log: LogPort): Services {
  return {
    graphql: null,
    jobs: null,
    forms: null,
    sessions: null,
    challenge: null,
    transactions: null,
    cache,
    assets: assetUrls(() => loaded().site),
    clock: systemClock,
    random: systemRandom,
    log,
    locate: (fault) => locate(fault, loaded().places),
  }
}
