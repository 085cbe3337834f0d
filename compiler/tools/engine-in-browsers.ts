/** The library in browsers, with what the playground of the reference does: it is this file, too. */
export * from './engine.ts'
export { play } from './engine/play.ts'
