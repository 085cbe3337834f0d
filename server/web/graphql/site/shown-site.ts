/** The site whose data the studio shows. It is served by another app. */
import type { SiteHost, Visit } from '../../site/host.ts'
import type { LoadedSite } from '../../site/load.ts'
import type { ChangeRules } from './opened-data.ts'

export interface ShownSite {
  /** Returns the site and the ids of its tables. It may be replaced while the studio serves. */
  current(): {
    readonly loadedSite: LoadedSite
    readonly ids: ReadonlyMap<string, number>
    /** Checks and submits the forms of the site. */
    readonly host: SiteHost
  }
  /** Returns what a visitor of the studio may change, and who does so. */
  changes(visit: Visit): ChangeRules
}
