/** A site that changes while it is served: loads it, and swaps single modules in place where the build allows it. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { CompiledSite } from '../../runtime/site.ts'
import type { ChangedModule } from '../cluster/messages.ts'
import { around, type LoadedSite, loadEntry } from '../site/load.ts'

/** Puts a module's new namespace in the place of its old one; gives a new site where what the site lists changed too. */
type Swap = (module: string, namespace: object) => CompiledSite | undefined

const swapper = z.object({ swap: z.custom<Swap>((value) => typeof value === 'function').optional() })

export interface HotSite {
  /**
   * Brings the site to its newest build.
   * @param entry URL of the link module; imported by a fresh process it is the whole site as it is now
   * @param changed modules that changed since the build before, when these are all that changed; empty: anything may have
   * @throws StartError where the site does not load
   */
  update(entry: string, changed: readonly ChangedModule[]): Promise<LoadedSite>
}

/** @param runtime the runtime's face as this process has it */
export function createHotSite(root: string, runtime: object): HotSite {
  let current: { readonly loaded: LoadedSite; readonly entry: string; readonly swap: Swap | null } | null = null
  // Node keeps every module that it has imported, by URL: a new version needs a new one.
  let version = 0

  async function load(entry: string): Promise<LoadedSite> {
    const url = versioned(entry, version++)
    const loaded = await loadEntry(url, root, runtime)
    current = { loaded, entry, swap: swapper.parse(await import(url)).swap ?? null }
    return loaded
  }

  return {
    async update(entry, changed) {
      if (current === null || current.swap === null || current.entry !== entry || changed.length === 0)
        return load(entry)
      const { swap } = current
      const namespaces = await Promise.all(
        changed.map(({ url }) => import(versioned(url, version++)) as Promise<object>),
      )
      let { site } = current.loaded
      for (const [index, { module }] of changed.entries()) site = swap(module, namespaces[index]!) ?? site
      // A fresh record, so that maps and texts of the old modules are forgotten.
      const loaded = around(site, root, dirname(fileURLToPath(new URL(entry))))
      current = { ...current, loaded }
      return loaded
    },
  }
}

function versioned(url: string, version: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}v=${version}`
}
