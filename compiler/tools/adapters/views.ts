/** Shared code of the framework adapters: engines for folders of views, layouts, and positions in errors. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { createEngine, type Engine, EngineOptionError, type EngineOptions, folder, LiquidError } from '../engine.ts'
import { Safe } from '../../../runtime/index.ts'

/** Options of an engine whose files are views. */
export interface ViewOptions extends Omit<EngineOptions, 'files'> {
  /** The layout of all views, which receives their output as `content_for_layout`. */
  readonly layout?: string | undefined
}

export type ViewData = Readonly<Record<string, unknown>>

/** Default extensions of views. */
export const EXTENSIONS: readonly string[] = ['.liquid']

/** Returns true for an engine, false for options. */
export function isEngine(engineOrOptions: Engine | object): engineOrOptions is Engine {
  return 'renderSync' in engineOrOptions && typeof engineOrOptions.renderSync === 'function'
}

/** Splits the options into those of the engine and the layout. @throws EngineOptionError for an unknown or invalid option */
export function viewOptions({ layout, ...options }: ViewOptions): { layout: string | null; options: EngineOptions } {
  if (layout !== undefined && typeof layout !== 'string')
    throw new EngineOptionError('option `layout`: expected a name')
  if ('files' in options)
    throw new EngineOptionError(
      '`files` cannot be set, because the views are the files: to use other files, pass an engine of `createEngine`',
    )
  // Validates the options now, not during the first request.
  createEngine(options)
  return { layout: layout ?? null, options }
}

/** Returns the layout of a view: `layout` in its data (a name, or false for none), otherwise the default layout. */
export function layoutIn({ layout }: ViewData, defaultLayout: string | null): string | null {
  return typeof layout === 'string' ? layout : layout === false ? null : defaultLayout
}

/** Renders a view inside its layout. @throws LiquidError with its position in `file`, `line` and its stack */
export async function renderView(engine: Engine, name: string, data: ViewData, layout: string | null): Promise<string> {
  try {
    const text = await engine.render(name, data)
    return layout === null ? text : await engine.render(layout, { ...data, content_for_layout: new Safe(text) })
  } catch (error) {
    if (error instanceof LiquidError) addPositionsToStack(error)
    throw error
  }
}

/** Puts template positions first in the stack, because logs and error pages show the stack. */
function addPositionsToStack(error: LiquidError): void {
  const { file, line, frames } = error
  if (file === null) return
  const positions = frames.length > 0 ? frames : [{ file, line }]
  const templates = positions.map((place) => `\n    at ${place.file}:${place.line}`).join('')
  const [calls = ''] = /(?:\n +at .*)+$/.exec(error.stack ?? '') ?? []
  error.stack = `${error.name}: ${error.message}${templates}${calls}`
}

/** An engine for one or several folders. If several files have one name, the first folder wins. */
export class ViewFolders {
  readonly engine: Engine
  readonly #roots: readonly string[]
  readonly #extensions: readonly string[]
  /** The folder of each view, by view name. */
  #owners: ReadonlyMap<string, number> = new Map()
  #state: string

  constructor(roots: readonly string[], extensions: readonly string[], options: EngineOptions) {
    this.#roots = roots.map((root) => resolve(root)).filter(existsSync)
    if (this.#roots.length === 0) throw new Error(`there is no folder ${roots.join(' or ')} with views`)
    this.#extensions = extensions
    this.#state = this.#stateNow()
    const folders = this.#roots.map((root) => folder(root, { extensions }))
    const names = (): Iterable<string> => {
      const owners = new Map<string, number>()
      for (const [at, each] of folders.entries())
        for (const name of each.names()) if (!owners.has(name)) owners.set(name, at)
      this.#owners = owners
      return owners.keys()
    }
    const read = (name: string): string | null => folders[this.#owners.get(name) ?? -1]?.read(name) ?? null
    this.engine = createEngine({ ...options, files: { names, read } })
  }

  /** Picks up edits, additions and removals since the last call. */
  refresh(): void {
    const state = this.#stateNow()
    if (state === this.#state) return
    this.#state = state
    this.engine.invalidate()
  }

  /** Returns the name of a view without its extension, if the view is known only by that name. */
  canonicalName(name: string): string {
    return this.#owners.has(name) ? name : withoutExtension(name, this.#extensions)
  }

  /** Returns the name of the view in a file. @throws Error if the file is not a view of these folders */
  viewNameOf(path: string): string {
    const found = this.#nameNow(path)
    if (found !== null) return found
    // The file may be newer than the engine.
    this.refresh()
    const name = this.#nameNow(path)
    if (name === null) throw new Error(`'${path}' is not a view of ${this.#roots.join(', ')}`)
    return name
  }

  #nameNow(path: string): string | null {
    for (const [at, root] of this.#roots.entries()) {
      const below = nameBelow(root, path)
      const name = below === null ? null : this.canonicalName(below)
      if (name !== null && this.#owners.get(name) === at) return name
    }
    return null
  }

  /** Returns a fingerprint of all files, from their paths, sizes and modification times. */
  #stateNow(): string {
    const files = this.#roots.flatMap((root) =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => this.#extensions.some((each) => entry.name.endsWith(each)))
        .map(({ parentPath, name }) => join(parentPath, name)),
    )
    const states = files.map((file) => {
      const { mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {}
      return [file, mtimeMs, size]
    })
    return JSON.stringify(states)
  }
}

/** Returns the path of a file relative to a folder, with slashes; null for a file outside. */
export function nameBelow(root: string, path: string): string | null {
  const below = relative(root, path)
  return below === '' || below.startsWith('..') || isAbsolute(below) ? null : below.split(sep).join('/')
}

export function withoutExtension(name: string, extensions: readonly string[]): string {
  const extension = extensions.find((each) => name.endsWith(each) && name.length > each.length)
  return extension === undefined ? name : name.slice(0, -extension.length)
}
