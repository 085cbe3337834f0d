/** The library's entry point: an engine that renders templates in this process, without a server or a disk. */
import { ALL_FEATURES } from '../pipeline/all-features.ts'
import { type Engine, engineOn } from './engine/engine.ts'
import type { EngineOptions } from './engine/options.ts'

export * from './engine/exports.ts'

/**
 * Compiles the files in this process. Never throws for errors of the site: they are in `diagnostics`, and are thrown when the unit is
 * rendered.
 * @throws EngineOptionError for an unknown or invalid option
 */
export function createEngine(options: EngineOptions = {}): Engine {
  return engineOn({ features: ALL_FEATURES, missingFilters: [] }, options)
}
