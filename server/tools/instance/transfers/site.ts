/** The data declarations of the served site, for imports and exports. */
import * as runtime from '../../../../runtime/index.ts'
import type { DataSchema } from '../../../../runtime/page/compiled.ts'
import type { Releases } from '../../../operate/releases/model.ts'
import { releaseBuild } from '../../../operate/releases/open.ts'
import { SiteBuilds } from '../../../web/site/builds.ts'
import { StartError } from '../../../core/start-error.ts'
import type { Store } from '../../../data/store/store.ts'

export interface SiteData {
  readonly data: DataSchema
  /** The ids of the tables by name. */
  readonly ids: ReadonlyMap<string, number>
}

export class ServedData {
  readonly #releases: Releases
  readonly #root: string
  readonly #store: Store
  readonly #builds = new SiteBuilds(runtime)
  #last: { readonly release: string; readonly site: SiteData } | null = null

  /** @param root folder of the site that the server was started with */
  constructor(releases: Releases, root: string, store: Store) {
    this.#releases = releases
    this.#root = root
    this.#store = store
  }

  /** Returns the declarations of the served site. @throws StartError, and database errors */
  async now(): Promise<SiteData> {
    const currentPointer = await this.#releases.current()
    if (currentPointer === null) throw new StartError('No site is served yet: deploy one first.')
    const { release } = currentPointer
    if (this.#last?.release === release) return this.#last.site
    const { site } = await this.#builds.load(await releaseBuild(this.#releases, release, this.#root), async () => [])
    const { ids } = await this.#store.prepare(site.data, null, true)
    this.#last = { release, site: { data: site.data, ids } }
    return this.#last.site
  }
}
