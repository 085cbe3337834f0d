/**
 * Loads the builds that a process serves one after another. A release is a list of modules by digest. Modules of the
 * previous release are not loaded again. An edit replaces modules of a release.
 */
import * as z from 'zod'
import type { SourceMapPayload } from 'node:module'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import { StartError } from '../../core/start-error.ts'
import {
  type BuildEdits,
  type BuiltSite,
  createLoadedSite,
  inPlace,
  type LoadedSite,
  loadSite,
  mapInside,
} from './load.ts'
import {
  readReleaseCode,
  digestIn,
  type Factory,
  mapOfModule,
  readModuleList,
  runModule,
  wrapModuleCode,
} from './release-modules.ts'

/** A module that replaces another one. */
export interface ReplacedModule {
  readonly path: string
  /** Digest of the module; null for a removed module. */
  readonly digest: string | null
  readonly script: string | null
  /** The template that the module was compiled from, and its text. */
  readonly file: string | null
  readonly source: string | null
}

/**
 * Reads the modules replaced by edits, in their latest version.
 * @param after revision after which edits are read
 */
export type ReadEdits = (edits: BuildEdits, after: number) => Promise<readonly ReplacedModule[]>

const linkedManifest = z.object({
  site: z.custom<CompiledSite>((value) => typeof value === 'object' && value !== null),
})

/** A module whose script was run. */
interface LoadedModule {
  readonly digest: string
  readonly factory: Factory
}

/** A release with its replaced modules. */
interface EditedRelease {
  readonly builtSite: BuiltSite
  readonly manifest: string
  /** By path. */
  readonly modules: ReadonlyMap<string, LoadedModule>
  /** Positions of the modules in the original release, by digest. */
  readonly places: ReadonlyMap<string, number>
  /** Scripts of edited modules by digest, and texts of templates by file. */
  readonly scripts: ReadonlyMap<string, string>
  readonly sources: ReadonlyMap<string, string | null>
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
   * Loads a build with all of its edits. If the build has a list of modules, only new modules are loaded.
   * @throws StartError when it cannot run; the previous build can still be used
   */
  async load(builtSite: BuiltSite, readEdits: ReadEdits): Promise<LoadedSite> {
    const { loadedSite, release } = await this.#load(builtSite, readEdits)
    this.#current = release
    return loadedSite
  }

  /**
   * Loads a build in addition to the current one. Equal modules are shared.
   * @throws StartError
   */
  async loadBeside(builtSite: BuiltSite): Promise<LoadedSite> {
    return (await this.#load(builtSite, async () => [])).loadedSite
  }

  async #load(
    builtSite: BuiltSite,
    readEdits: ReadEdits,
  ): Promise<{ readonly loadedSite: LoadedSite; readonly release: EditedRelease | null }> {
    const { edits } = builtSite
    const revision = edits?.revision ?? 0
    const current = this.#current
    const isContinued =
      current !== null && current.builtSite.folder === builtSite.folder && current.revision <= revision
    const previous = isContinued ? { ...current, builtSite } : await this.#open(builtSite)
    if (previous === null) {
      if (edits !== undefined)
        throw new StartError('The release was built as a whole, so its modules cannot be replaced.')
      return { loadedSite: await loadSite(builtSite, this.#runtime), release: null }
    }
    const isThere = edits === undefined || previous.revision === revision
    const release = isThere ? previous : withReplaced(previous, edits, await readEdits(edits, previous.revision))
    return { loadedSite: this.#linked(release), release }
  }

  /** Loads the modules of a build; null for a build without a list of modules. */
  async #open(builtSite: BuiltSite): Promise<EditedRelease | null> {
    const list = await readModuleList(builtSite.folder)
    if (list === null) return null
    const knownModules = new Map([...(this.#current?.modules.values() ?? [])].map((module) => [module.digest, module]))
    const modules = new Map<string, LoadedModule>()
    let code: string | null = null
    for (const [path, { digest, at, length }] of list.modules) {
      const same = knownModules.get(digest)
      if (same === undefined) {
        code ??= await readReleaseCode(builtSite.folder)
        const { script, lineOffset } = wrapModuleCode(code.slice(at, at + length))
        modules.set(path, { digest, factory: runModule(path, digest, script, lineOffset) })
      } else modules.set(path, same)
    }
    const places = new Map([...list.modules.values()].map(({ digest }, at) => [digest, at]))
    return { builtSite, manifest: list.manifest, modules, places, scripts: new Map(), sources: new Map(), revision: 0 }
  }

  #linked(release: EditedRelease): LoadedSite {
    const { builtSite, modules, manifest, sources } = release
    const linked: Record<string, object> = {}
    const site = ((): CompiledSite => {
      try {
        for (const [path, { factory }] of modules) if (path !== manifest) linked[path] = factory(this.#runtime, linked)
        return linkedManifest.parse(modules.get(manifest)?.factory(this.#runtime, linked)).site
      } catch (error) {
        throw new StartError(`The site does not load (${error instanceof Error ? error.message : String(error)}).`)
      }
    })()
    const loadedSite = inPlace(
      createLoadedSite(site, builtSite.root, builtSite.folder, false, (name) => findModuleSourceMap(release, name)),
      builtSite,
    )
    return {
      ...loadedSite,
      source: (file) => (sources.has(file) ? (sources.get(file) ?? null) : loadedSite.source(file)),
    }
  }
}

/** Returns the source map of a module, by its name in stacks. */
function findModuleSourceMap({ builtSite, places, scripts }: EditedRelease, name: string): SourceMapPayload | null {
  const digest = digestIn(name)
  if (digest === null) return null
  const script = scripts.get(digest)
  if (script !== undefined) return mapInside(script)
  const at = places.get(digest)
  return at === undefined ? null : mapOfModule(builtSite.folder, at)
}

/**
 * Returns the release with further modules replaced.
 * @throws StartError for an invalid script of a module
 */
function withReplaced(
  previous: EditedRelease,
  { revision }: BuildEdits,
  edited: readonly ReplacedModule[],
): EditedRelease {
  const modules = new Map(previous.modules)
  const scripts = new Map(previous.scripts)
  const sources = new Map(previous.sources)
  for (const { path, digest, script, file, source } of edited) {
    scripts.delete(modules.get(path)?.digest ?? '')
    if (file !== null) sources.set(file, source)
    if (digest === null || script === null) {
      modules.delete(path)
      continue
    }
    modules.set(path, { digest, factory: runModule(path, digest, script) })
    scripts.set(digest, script)
  }
  return { ...previous, modules, scripts, sources, revision }
}
