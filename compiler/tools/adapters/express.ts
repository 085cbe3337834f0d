/** `ingot/express`: views of Express, rendered by an engine. */
import { dirname, extname, resolve } from 'node:path'
import type { Engine } from '../engine.ts'
import {
  EXTENSIONS,
  isEngine,
  layoutIn,
  nameBelow,
  renderView,
  type ViewData,
  ViewFolders,
  type ViewOptions,
  viewOptions,
  withoutExtension,
} from './views.ts'

export type { ViewOptions as ExpressViewOptions } from './views.ts'

/** What `app.engine` takes. */
export type ExpressEngine = (
  path: string,
  options: object,
  callback: (error: Error | null, html?: string) => void,
) => void

/**
 * Makes what `app.engine('liquid', …)` takes. With options, or none, the files are those of Express's `views`, one folder or several;
 * edits are taken over where Express caches no views (`view cache`). An engine that is handed over keeps its own files, and a view has
 * there the name of its path below `views`, without the ending.
 * @throws EngineOptionError for an option that is unknown or wrong
 */
export function expressEngine(given: Engine | ViewOptions = {}): ExpressEngine {
  const render = isEngine(given) ? viewOfEngine(given) : viewOfFolders(given)
  return function (this: unknown, path, options, callback) {
    const view = { path, folders: foldersOf(this, options, path), ...localsOf(options) }
    // What the callback throws is no error of the view.
    render(view).then(
      (html) => setImmediate(callback, null, html),
      (error: Error) => setImmediate(callback, error),
    )
  }
}

interface View extends Locals {
  readonly path: string
  readonly folders: readonly string[]
}

interface Locals {
  readonly data: ViewData
  /** Whether views stay as they were read first. */
  readonly isCached: boolean
}

function viewOfEngine(engine: Engine): (view: View) => Promise<string> {
  return async ({ path, folders, data }) => {
    const [below = path] = folders.flatMap((folder) => nameBelow(folder, path) ?? [])
    return renderView(engine, withoutExtension(below, [extname(path)]), data, layoutIn(data, null))
  }
}

function viewOfFolders(given: ViewOptions): (view: View) => Promise<string> {
  const { layout: usual, options } = viewOptions(given)
  const known = new Map<string, ViewFolders>()
  return async ({ path, folders, data, isCached }) => {
    const extensions = [...new Set([extname(path), ...EXTENSIONS])]
    const key = JSON.stringify([folders, extensions])
    const views = known.get(key) ?? new ViewFolders(folders, extensions, options)
    known.set(key, views)
    if (!isCached) views.refresh()
    const layout = layoutIn(data, usual)
    return renderView(views.engine, views.nameOf(path), data, layout === null ? null : views.named(layout))
  }
}

/** The folders that Express looks views up in: it calls an engine as a method of the view that was found. */
function foldersOf(view: unknown, options: object, path: string): readonly string[] {
  const found = fieldOf(view, 'root') ?? fieldOf(fieldOf(options, 'settings'), 'views') ?? dirname(path)
  return (Array.isArray(found) ? found : [found]).map((folder) => resolve(String(folder)))
}

/** The locals of the application, of the response and of the call, as Express has merged them, without what is Express's own. */
function localsOf(options: object): Locals {
  const { settings, _locals, cache, ...data }: Record<string, unknown> = { ...options }
  // Whoever hands over a variable of that name means it.
  const isExpress = fieldOf(settings, 'etag fn') !== undefined
  return { data: settings === undefined || isExpress ? data : { ...data, settings }, isCached: cache === true }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
