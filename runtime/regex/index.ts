/** Regular expressions of Ruby in linear time: reading them, and the engines they are written for. */
export { nativePattern } from './native.ts'
export type { RegexOptions } from './node.ts'
export { NO_OPTIONS } from './node.ts'
export { delimited, optionsOf, patternProblem, regexOf } from './known.ts'
export { readPattern } from './reader.ts'
export { type Match, Regex, shownPattern } from './regex.ts'
