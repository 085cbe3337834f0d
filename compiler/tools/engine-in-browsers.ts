/** The library for browsers, including the function of the reference's playground. */
import { SERVER_FILTERS } from '../../runtime/page/browser/server-filters.ts'
import { BROWSER_FEATURES } from '../pipeline/browser-features.ts'
import { type Engine, engineOn } from './engine/engine.ts'
import type { LibraryHost } from './engine/host.ts'
import type { EngineOptions } from './engine/options.ts'
import { playOn, type PlaygroundInput, type PlaygroundResult } from './engine/play.ts'

export * from './engine/exports.ts'

const BROWSER: LibraryHost = { features: BROWSER_FEATURES, missingFilters: SERVER_FILTERS }

/** Compiles the files, as in Node. @throws EngineOptionError for an unknown or invalid option */
export function createEngine(options: EngineOptions = {}): Engine {
  return engineOn(BROWSER, options)
}

/** Compiles and renders a template of the playground. Never throws. */
export function play(input: PlaygroundInput): Promise<PlaygroundResult> {
  return playOn(BROWSER, input)
}
