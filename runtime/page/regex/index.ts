/** Regular expressions of Ruby: reading them, and the engines they are written for. */
export type { RegexOptions } from './node.ts'
export { NO_OPTIONS } from './node.ts'
export { delimited, optionsOf, patternProblem, regexOf } from './known.ts'
export { type RegexMatch, Regex, shownPattern } from './regex.ts'
