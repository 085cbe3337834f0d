/** Loads a site that changes while it is served, and replaces single modules in place when the build allows it. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import type { ChangedModule } from './messages.ts'
import { createLoadedSite, type LoadedSite, loadEntry } from '../../web/site/load.ts'

/** Replaces a module's namespace by a newer one; returns a new site when exports of the module that the site lists have also changed. */
type SwapModule = (module: string, namespace: object) => CompiledSite | undefined

const swapper = z.object({ swap: z.custom<SwapModule>((value) => typeof value === 'function').optional() })

export interface HotSite {
  /**
   * Updates the site to its newest build.
   * @param entry URL of the link module
   * @param changedModules the modules that changed after the entry was written; empty when anything may have changed
   * @throws StartError when the site does not load
   */
  update(entry: string, changedModules: readonly ChangedModule[]): Promise<LoadedSite>
}

interface CurrentBuild {
  readonly loadedSite: LoadedSite
  readonly entry: string
  readonly swap: SwapModule | null
}

/** Creates a site that can be updated. @param runtime the runtime's exports in this process */
export function createHotSite(root: string, runtime: object): HotSite {
  let current: CurrentBuild | null = null
  // Node caches imported modules by URL, so each version needs a new one.
  let version = 0

  async function load(entry: string): Promise<CurrentBuild> {
    const url = versioned(entry, version++)
    const loadedSite = await loadEntry(url, root, runtime, true)
    return { loadedSite, entry, swap: swapper.parse(await import(url)).swap ?? null }
  }

  async function replaceModules(
    hot: CurrentBuild,
    swap: SwapModule,
    changedModules: readonly ChangedModule[],
  ): Promise<CurrentBuild> {
    const loadNamespace = async ({ module, url }: ChangedModule): Promise<readonly [string, object]> => {
      const namespace: object = await import(versioned(url, version++))
      return [module, namespace]
    }
    let { site } = hot.loadedSite
    for (const [module, namespace] of await Promise.all(changedModules.map(loadNamespace)))
      site = swap(module, namespace) ?? site
    // A new object, so that maps and texts cached for the old modules are dropped.
    return { ...hot, loadedSite: createLoadedSite(site, root, dirname(fileURLToPath(new URL(hot.entry))), true) }
  }

  return {
    async update(entry, changedModules) {
      const isKnown = current !== null && current.entry === entry && current.swap !== null && changedModules.length > 0
      let hot = isKnown && current !== null ? current : await load(entry)
      if (hot.swap !== null && changedModules.length > 0) hot = await replaceModules(hot, hot.swap, changedModules)
      current = hot
      return hot.loadedSite
    },
  }
}

function versioned(url: string, version: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}v=${version}`
}
