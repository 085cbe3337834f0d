/** Ruby's regular expressions: a parser, and the engines that run them. */
export type { RegexOptions } from './node.ts'
export { NO_OPTIONS } from './node.ts'
export { delimited, optionsOf, patternProblem, regexOf } from './known.ts'
export { type RegexMatch, Regex, shownPattern } from './regex.ts'
