/** The library face: texts go in, an engine that renders in this process comes out. No server, no disk. */
export { createEngine } from './engine/engine.ts'
export type { Engine } from './engine/engine.ts'
export type { EngineDiagnostic } from './engine/diagnostic.ts'
export type { EngineOptions } from './engine/options.ts'
export { LiquidFault as LiquidError } from '../runtime/index.ts'
export { Float } from '../runtime/page/values/number.ts'
