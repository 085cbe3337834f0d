/** Reads regular expressions of sites, in Ruby's syntax. */
import { ArgumentFault, LimitFault } from '../../../page/fault.ts'
import type { Regex, RegexOptions } from '../../../page/regex/index.ts'

export type Pattern = (text: string) => boolean

/** Compiled patterns. The cache is bounded, because options with Liquid may produce many. */
const MAX_CACHED = 500
const cache = new Map<string, Pattern | null>()

/**
 * Compiles a regular expression, written with or without delimiters (`/…/imx`). Without `multiline`, `^` and `$` match only at the ends of
 * the text. Returns null for an invalid pattern.
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
  // The engine of regular expressions is large, so it is loaded with the first pattern.
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

/** Returns whether a pattern matches a text. A match that exceeds the engine's limits counts as none. */
function isMatch(regex: Regex, text: string): boolean {
  try {
    return regex.test(text)
  } catch (error) {
    if (error instanceof LimitFault) return false
    throw error
  }
}
