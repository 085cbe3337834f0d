/** Ruby's regular expressions: a parser, and the engines that run them. */
export type { RegexOptions } from './node.ts'
export { splitDelimiters, parseOptionLetters, patternProblem, compileRegex } from './pattern-cache.ts'
export { type RegexMatch, Regex } from './regex.ts'
