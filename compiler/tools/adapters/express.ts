/** `ingot/express`: an Express view engine. */
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

/** The type of function that `app.engine` takes. */
export type ExpressEngine = (
  path: string,
  options: object,
  callback: (error: Error | null, html?: string) => void,
) => void

/**
 * Returns a function for `app.engine('liquid', …)`. Without an engine, the views are the files of Express's `views` folders, and
 * edits are picked up unless Express caches views (`view cache`). An engine keeps its own files. It receives the path of a view
 * below `views`, without the extension, as the name.
 * @throws EngineOptionError for an unknown or invalid option
 */
export function expressEngine(engineOrOptions: Engine | ViewOptions = {}): ExpressEngine {
  const render = isEngine(engineOrOptions)
    ? createEngineRenderer(engineOrOptions)
    : createFolderRenderer(engineOrOptions)
  return function (this: unknown, path, options, callback) {
    const view = { path, folders: findViewFolders(this, options, path), ...readLocals(options) }
    // Errors thrown by the callback are not errors of the view.
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
  /** Whether views are read only once. */
  readonly isCached: boolean
}

function createEngineRenderer(engine: Engine): (view: View) => Promise<string> {
  return async ({ path, folders, data }) => {
    const [below = path] = folders.flatMap((folder) => nameBelow(folder, path) ?? [])
    return renderView(engine, withoutExtension(below, [extname(path)]), data, layoutIn(data, null))
  }
}

function createFolderRenderer(engineOrOptions: ViewOptions): (view: View) => Promise<string> {
  const { layout: defaultLayout, options } = viewOptions(engineOrOptions)
  const viewsByKey = new Map<string, ViewFolders>()
  return async ({ path, folders, data, isCached }) => {
    const extensions = [...new Set([extname(path), ...EXTENSIONS])]
    const key = JSON.stringify([folders, extensions])
    const views = viewsByKey.get(key) ?? new ViewFolders(folders, extensions, options)
    viewsByKey.set(key, views)
    if (!isCached) views.refresh()
    const layout = layoutIn(data, defaultLayout)
    return renderView(views.engine, views.viewNameOf(path), data, layout === null ? null : views.canonicalName(layout))
  }
}

/** Returns the folders that Express looks up views in. Express calls an engine as a method of the view. */
function findViewFolders(view: unknown, options: object, path: string): readonly string[] {
  const configured = readField(view, 'root') ?? readField(readField(options, 'settings'), 'views') ?? dirname(path)
  return (Array.isArray(configured) ? configured : [configured]).map((folder) => resolve(String(folder)))
}

/** Returns the locals that Express merged from the application, the response and the call, without Express's own settings. */
function readLocals(options: object): Locals {
  const { settings, _locals, cache, ...data }: Record<string, unknown> = { ...options }
  // A variable named `cache` that the caller passed is kept.
  const isExpress = readField(settings, 'etag fn') !== undefined
  return { data: settings === undefined || isExpress ? data : { ...data, settings }, isCached: cache === true }
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
