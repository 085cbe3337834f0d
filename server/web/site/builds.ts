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
  readonly built: BuiltSite
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
  async load(built: BuiltSite, readEdits: ReadEdits): Promise<LoadedSite> {
    const { loaded, release } = await this.#load(built, readEdits)
    this.#current = release
    return loaded
  }

  /**
   * Loads a build in addition to the current one. Equal modules are shared.
   * @throws StartError
   */
  async loadBeside(built: BuiltSite): Promise<LoadedSite> {
    return (await this.#load(built, async () => [])).loaded
  }

  async #load(
    built: BuiltSite,
    readEdits: ReadEdits,
  ): Promise<{ readonly loaded: LoadedSite; readonly release: EditedRelease | null }> {
    const { edits } = built
    const revision = edits?.revision ?? 0
    const current = this.#current
    const isContinued = current !== null && current.built.folder === built.folder && current.revision <= revision
    const previous = isContinued ? { ...current, built } : await this.#open(built)
    if (previous === null) {
      if (edits !== undefined)
        throw new StartError('The release was built as a whole, so its modules cannot be replaced.')
      return { loaded: await loadSite(built, this.#runtime), release: null }
    }
    const isThere = edits === undefined || previous.revision === revision
    const release = isThere ? previous : withReplaced(previous, edits, await readEdits(edits, previous.revision))
    return { loaded: this.#linked(release), release }
  }

  /** Loads the modules of a build; null for a build without a list of modules. */
  async #open(built: BuiltSite): Promise<EditedRelease | null> {
    const list = await readModuleList(built.folder)
    if (list === null) return null
    const knownModules = new Map([...(this.#current?.modules.values() ?? [])].map((module) => [module.digest, module]))
    const modules = new Map<string, LoadedModule>()
    let code: string | null = null
    for (const [path, { digest, at, length }] of list.modules) {
      const same = knownModules.get(digest)
      if (same === undefined) {
        code ??= await readReleaseCode(built.folder)
        const { script, lineOffset } = wrapModuleCode(code.slice(at, at + length))
        modules.set(path, { digest, factory: runModule(path, digest, script, lineOffset) })
      } else modules.set(path, same)
    }
    const places = new Map([...list.modules.values()].map(({ digest }, at) => [digest, at]))
    return { built, manifest: list.manifest, modules, places, scripts: new Map(), sources: new Map(), revision: 0 }
  }

  #linked(release: EditedRelease): LoadedSite {
    const { built, modules, manifest, sources } = release
    const linked: Record<string, object> = {}
    const site = ((): CompiledSite => {
      try {
        for (const [path, { factory }] of modules) if (path !== manifest) linked[path] = factory(this.#runtime, linked)
        return linkedManifest.parse(modules.get(manifest)?.factory(this.#runtime, linked)).site
      } catch (error) {
        throw new StartError(`The site does not load (${error instanceof Error ? error.message : String(error)}).`)
      }
    })()
    const loaded = inPlace(
      createLoadedSite(site, built.root, built.folder, false, (name) => findModuleSourceMap(release, name)),
      built,
    )
    return {
      ...loaded,
      source: (file) => (sources.has(file) ? (sources.get(file) ?? null) : loaded.source(file)),
    }
  }
}

/** Returns the source map of a module, by its name in stacks. */
function findModuleSourceMap({ built, places, scripts }: EditedRelease, name: string): SourceMapPayload | null {
  const digest = digestIn(name)
  if (digest === null) return null
  const script = scripts.get(digest)
  if (script !== undefined) return mapInside(script)
  const at = places.get(digest)
  return at === undefined ? null : mapOfModule(built.folder, at)
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
