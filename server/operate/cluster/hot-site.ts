/** Loads a site that changes while it is served, and replaces single modules in place when the build allows it. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import type { ChangedModule } from './messages.ts'
import { createLoadedSite, type LoadedSite, loadEntry } from '../../web/site/load.ts'

/** Replaces a module's namespace by a newer one; returns a new site when exports of the module that the site lists have also changed. */
type SwapModule = (module: string, namespace: object) => CompiledSite | undefined

/** A module's exports, by name. */
type ModuleExports = Readonly<Record<string, unknown>>
type Factory = (runtime: object, modules: object) => ModuleExports

/** The known facts about a module: its template, or null, and the paths of the modules that it calls. */
const moduleFacts = z.object({ file: z.string().nullable(), calls: z.array(z.string()) })
export type ModuleFacts = z.infer<typeof moduleFacts>

const swapper = z.object({
  swap: z.custom<SwapModule>((value) => typeof value === 'function').optional(),
  /** The exports of all modules by path. Modules look up here what they call. */
  modules: z.custom<Record<string, ModuleExports>>((value) => typeof value === 'object' && value !== null).optional(),
  facts: z.record(z.string(), moduleFacts).default({}),
})

const changedModule = z.object({
  default: z.custom<Factory>((value) => typeof value === 'function').optional(),
  facts: moduleFacts.optional(),
})

/** Is notified of each module that is loaded, and returns the exports to use instead. */
export type ModuleObserver = (path: string, facts: ModuleFacts, exports: ModuleExports) => ModuleExports

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

/**
 * Creates a site that can be updated.
 * @param runtime the runtime's exports in this process
 * @param observe null when no one observes the modules
 */
export function createHotSite(root: string, runtime: object, observe: ModuleObserver | null = null): HotSite {
  let current: CurrentBuild | null = null
  // Node caches imported modules by URL, so each version needs a new one.
  let version = 0

  async function load(entry: string): Promise<CurrentBuild> {
    const url = versioned(entry, version++)
    const loadedSite = await loadEntry(url, root, runtime, true)
    const { swap, modules, facts } = swapper.parse(await import(url))
    if (observe !== null && modules !== undefined)
      for (const [path, exports] of Object.entries(modules)) {
        const own = facts[path]
        if (own !== undefined) modules[path] = observe(path, own, exports)
      }
    return { loadedSite, entry, swap: swap ?? null }
  }

  function observed(path: string, namespace: object): object {
    const { default: factory, facts } = changedModule.parse(namespace)
    if (observe === null || factory === undefined || facts === undefined) return namespace
    return { default: ((given, modules) => observe(path, facts, factory(given, modules))) satisfies Factory }
  }

  async function replaceModules(
    hot: CurrentBuild,
    swap: SwapModule,
    changedModules: readonly ChangedModule[],
  ): Promise<CurrentBuild> {
    const loadNamespace = async ({ module, url }: ChangedModule): Promise<readonly [string, object]> => {
      const namespace: object = await import(versioned(url, version++))
      return [module, observed(module, namespace)]
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
