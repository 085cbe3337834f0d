/** Reads regular expressions of sites, in Ruby's syntax. */
import { ArgumentFault, LimitFault } from '../../../page/fault.ts'
import type { Regex, RegexOptions } from '../../../page/regex/index.ts'

export type Pattern = (text: string) => boolean

/** Compiled patterns. The cache is bounded, because options with Liquid may produce many. */
const MAX_CACHED = 500
const cache = new Map<string, Pattern | null>()

/**
 * Compiles a source: bare, or as `/…/imx`. Without `multiline`, `^` and `$` match at the ends of the text only. Null
 * for an invalid pattern.
 */
export async function patternOf(source: string, multiline: boolean): Promise<Pattern | null> {
  const key = `${multiline ? 'm' : ' '}${source}`
  let pattern = cache.get(key)
  if (pattern === undefined) {
    pattern = await compilePattern(source, multiline)
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(key, pattern)
  }
  return pattern
}

async function compilePattern(source: string, multiline: boolean): Promise<Pattern | null> {
  // The engine is loaded with the first pattern.
  const { parseOptionLetters, Regex, splitDelimiters } = await import('../../../page/regex/index.ts')
  const { body, letters } = splitDelimiters(source)
  const options: RegexOptions = { ...parseOptionLetters(letters), wholeText: !multiline }
  try {
    const regex = new Regex(body, options)
    return (text) => isMatch(regex, text)
  } catch (error) {
    if (error instanceof ArgumentFault) return null
    throw error
  }
}

/** A match that takes too long counts as none. */
function isMatch(regex: Regex, text: string): boolean {
  try {
    return regex.test(text)
  } catch (error) {
    if (error instanceof LimitFault) return false
    throw error
  }
}
