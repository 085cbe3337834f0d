/** The library for browsers, including the function of the reference's playground. */
export * from './engine.ts'
export { play } from './engine/play.ts'
