/** What the adapters to frameworks share: engines over folders of views, layouts, and what is told of errors. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { createEngine, type Engine, EngineOptionError, type EngineOptions, folder, LiquidError } from '../engine.ts'
import { Safe } from '../../../runtime/index.ts'

/** Options of an engine that has views as its files. */
export interface ViewOptions extends Omit<EngineOptions, 'files'> {
  /** The view around all others, which has their text as `content_for_layout`. */
  readonly layout?: string | undefined
}

export type ViewData = Readonly<Record<string, unknown>>

/** Endings of views where nothing else is said. */
export const EXTENSIONS: readonly string[] = ['.liquid']

/** Whether it is an engine, and not the options of one. */
export function isEngine(given: Engine | object): given is Engine {
  return 'renderSync' in given && typeof given.renderSync === 'function'
}

/**
 * The options of the engine alone, and the layout.
 * @throws EngineOptionError for an option that is unknown or wrong
 */
export function viewOptions({ layout, ...options }: ViewOptions): { layout: string | null; options: EngineOptions } {
  if (layout !== undefined && typeof layout !== 'string')
    throw new EngineOptionError('option `layout`: expected a name')
  if ('files' in options)
    throw new EngineOptionError('the files are the views: hand over an engine to have others (`createEngine`)')
  // Wrong ones are told now, and not to the first visitor.
  createEngine(options)
  return { layout: layout ?? null, options }
}

/** The layout that the data of one view choose by `layout`: a name, or false for none; else the one of all views. */
export function layoutIn({ layout }: ViewData, usual: string | null): string | null {
  return typeof layout === 'string' ? layout : layout === false ? null : usual
}

/** Renders a view inside of its layout. @throws LiquidError that tells its place in `file` and `line`, and in its stack */
export async function renderView(engine: Engine, name: string, data: ViewData, layout: string | null): Promise<string> {
  try {
    const text = await engine.render(name, data)
    return layout === null ? text : await engine.render(layout, { ...data, content_for_layout: new Safe(text) })
  } catch (error) {
    if (error instanceof LiquidError) tellPlace(error)
    throw error
  }
}

/** What logs and error pages show of an error is its stack: its templates come first there. */
function tellPlace(error: LiquidError): void {
  const { file, line, frames } = error
  if (file === null) return
  const places = frames.length > 0 ? frames : [{ file, line }]
  const templates = places.map((place) => `\n    at ${place.file}:${place.line}`).join('')
  const [calls = ''] = /(?:\n +at .*)+$/.exec(error.stack ?? '') ?? []
  error.stack = `${error.name}: ${error.message}${templates}${calls}`
}

/** An engine over one or several folders; of two files of one name the one of the first folder counts. */
export class ViewFolders {
  readonly engine: Engine
  readonly #roots: readonly string[]
  readonly #extensions: readonly string[]
  /** The folder of each view, by the view's name. */
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

  /** Takes over what was edited, added and removed since the last time. */
  refresh(): void {
    const state = this.#stateNow()
    if (state === this.#state) return
    this.#state = state
    this.engine.invalidate()
  }

  /** The name of a view that is called with its ending, or without it. */
  named(name: string): string {
    return this.#owners.has(name) ? name : withoutExtension(name, this.#extensions)
  }

  /** The name of the view in a file. @throws Error where the file is no view of these folders */
  nameOf(path: string): string {
    const found = this.#nameNow(path)
    if (found !== null) return found
    // It may be newer than the engine.
    this.refresh()
    const name = this.#nameNow(path)
    if (name === null) throw new Error(`'${path}' is no view of ${this.#roots.join(', ')}`)
    return name
  }

  #nameNow(path: string): string | null {
    for (const [at, root] of this.#roots.entries()) {
      const below = nameBelow(root, path)
      const name = below === null ? null : this.named(below)
      if (name !== null && this.#owners.get(name) === at) return name
    }
    return null
  }

  /** Changes whenever a file does. */
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

/** The path of a file below a folder, with slashes; null for one outside. */
export function nameBelow(root: string, path: string): string | null {
  const below = relative(root, path)
  return below === '' || below.startsWith('..') || isAbsolute(below) ? null : below.split(sep).join('/')
}

export function withoutExtension(name: string, extensions: readonly string[]): string {
  const ending = extensions.find((each) => name.endsWith(each) && name.length > each.length)
  return ending === undefined ? name : name.slice(0, -ending.length)
}
