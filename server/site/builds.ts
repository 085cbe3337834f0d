/**
 * The builds that a process serves one after the other. A release stays loaded while edits replace modules of it: each edit links all
 * modules anew, so that whoever has begun with the ones before ends with them, and what nobody uses any more is collected.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import * as z from 'zod'
import type { CompiledSite } from '../../runtime/page/site.ts'
import { StartError } from '../start-error.ts'
import { type BuildEdits, type BuiltSite, createLoadedSite, type LoadedSite, loadSite } from './load.ts'

/** A module that took the place of another one. */
export interface ReplacedModule {
  readonly path: string
  /** Both are null for a module that is gone. */
  readonly digest: string | null
  readonly script: string | null
  /** The template that it was made of, and its text. */
  readonly file: string | null
  readonly source: string | null
}

/** Gives the modules as they are with all edits up to the last one; of those behind an earlier one. */
export type ReadEdits = (edits: BuildEdits, after: number) => Promise<readonly ReplacedModule[]>

type Factory = (runtime: object, modules: Record<string, object>) => object
type Factories = Readonly<Record<string, Factory>>

const isFunction = (value: unknown): boolean => typeof value === 'function'

/** A release: its modules, each by its path, and the one that is linked last. */
const releaseEntry = z.object({
  factories: z.record(z.string(), z.custom<Factory>(isFunction)),
  manifest: z.string(),
})

const linkedManifest = z.object({
  site: z.custom<CompiledSite>((value) => typeof value === 'object' && value !== null),
})

/** A release with what edits have replaced of it. */
interface EditedRelease {
  readonly built: BuiltSite
  readonly base: LoadedSite
  readonly manifest: string
  readonly factories: Factories
  /** Scripts of replaced modules by the names that stacks give them, and texts of templates. */
  readonly scripts: ReadonlyMap<string, string>
  readonly sources: ReadonlyMap<string, string | null>
  readonly names: ReadonlyMap<string, string>
  readonly revision: number
}

export class SiteBuilds {
  readonly #runtime: object
  #current: EditedRelease | null = null

  /** @param runtime the runtime's exports in this process */
  constructor(runtime: object) {
    this.#runtime = runtime
  }

  /**
   * Loads a build with all of its edits; from the one that was loaded last only what has changed since.
   * @throws StartError when it cannot run; the build before can still be used
   */
  async load(built: BuiltSite, read: ReadEdits): Promise<LoadedSite> {
    const { edits } = built
    if (edits === undefined) {
      this.#current = null
      return loadSite(built, this.#runtime)
    }
    const goesOn = this.#current?.built.folder === built.folder && this.#current.revision <= edits.revision
    const before = goesOn && this.#current !== null ? this.#current : await this.#open(built)
    const next =
      before.revision === edits.revision ? before : replaced(before, edits, await read(edits, before.revision))
    const loaded = this.#linked(next)
    this.#current = next
    return loaded
  }

  async #open(built: BuiltSite): Promise<EditedRelease> {
    const base = await loadSite(built, this.#runtime)
    const entry = releaseEntry.safeParse(await import(pathToFileURL(join(built.folder, 'site.mjs')).href))
    if (!entry.success) throw new StartError('The release was made as a whole, and modules of it cannot be replaced.')
    const nothing = { scripts: new Map(), sources: new Map(), names: new Map() }
    return { built, base, ...entry.data, ...nothing, revision: 0 }
  }

  #linked({ built, base, factories, manifest, scripts, sources }: EditedRelease): LoadedSite {
    const modules: Record<string, object> = {}
    try {
      for (const [path, factory] of Object.entries(factories))
        if (path !== manifest) modules[path] = factory(this.#runtime, modules)
      const { site } = linkedManifest.parse(factories[manifest]?.(this.#runtime, modules))
      const loaded = createLoadedSite(site, built.root, built.folder, false, scripts)
      return {
        ...base,
        site,
        locator: loaded.locator,
        source: (file) => (sources.has(file) ? (sources.get(file) ?? null) : base.source(file)),
      }
    } catch (error) {
      throw new StartError(`The edited site does not load (${error instanceof Error ? error.message : String(error)}).`)
    }
  }
}

/** The release with further modules replaced. @throws StartError for one that is no script of a module */
function replaced(before: EditedRelease, { revision }: BuildEdits, modules: readonly ReplacedModule[]): EditedRelease {
  const factories: Record<string, Factory> = { ...before.factories }
  const scripts = new Map(before.scripts)
  const sources = new Map(before.sources)
  const names = new Map(before.names)
  for (const { path, digest, script, file, source } of modules) {
    scripts.delete(names.get(path) ?? '')
    names.delete(path)
    if (file !== null) sources.set(file, source)
    if (digest === null || script === null) {
      delete factories[path]
      continue
    }
    const name = join(before.built.folder, 'edits', `${digest}.js`)
    run(script, name)(factories)
    scripts.set(name, script)
    names.set(path, name)
  }
  return { ...before, factories, scripts, sources, names, revision }
}

const moduleSetter = z.custom<(factories: Record<string, Factory>) => void>(isFunction)

/** @throws StartError */
function run(script: string, filename: string): (factories: Record<string, Factory>) => void {
  try {
    return moduleSetter.parse(new Script(script, { filename }).runInThisContext())
  } catch (error) {
    throw new StartError(`An edited module does not load (${error instanceof Error ? error.message : String(error)}).`)
  }
}
