/** Compiles patterns and caches them by source. */
import { ArgumentFault } from '../fault.ts'
import { NO_OPTIONS, type RegexOptions } from './node.ts'
import { Regex, printPattern } from './regex.ts'

/**
 * Limits of the cache: the number and the length of patterns. Patterns may come from visitors, so only recent, short patterns are cached.
 */
const MAX_CACHED = 300
const MAX_CACHED_SOURCE = 1000
const cache = new Map<string, Regex>()

/**
 * Compiles a regular expression.
 * @throws ArgumentFault, with the pattern and the reason, when it is invalid in Ruby or uses an unsupported feature
 */
export function compileRegex(source: string, options: RegexOptions): Regex {
  const key = `${options.ignoreCase ? 'i' : ''}${options.dotAll ? 'm' : ''}${options.extended ? 'x' : ''}${options.wholeText ? 'w' : ''}/${source}`
  const cachedRegex = cache.get(key)
  if (cachedRegex !== undefined) {
    cache.delete(key)
    cache.set(key, cachedRegex)
    return cachedRegex
  }
  const regex = compileOrExplain(source, options)
  if (source.length > MAX_CACHED_SOURCE) return regex
  for (const oldest of cache.keys()) {
    if (cache.size < MAX_CACHED) break
    cache.delete(oldest)
  }
  cache.set(key, regex)
  return regex
}

function compileOrExplain(source: string, options: RegexOptions): Regex {
  try {
    return new Regex(source, options)
  } catch (error) {
    if (!(error instanceof ArgumentFault)) throw error
    throw new ArgumentFault(`invalid regular expression ${printPattern(source)}: ${error.message}`)
  }
}

/** Returns the reason why a pattern is invalid; null when it is valid. */
export function patternProblem(source: string, options: RegexOptions): string | null {
  try {
    new Regex(source, options)
    return null
  } catch (error) {
    if (error instanceof ArgumentFault) return error.message
    throw error
  }
}

/** Parses option letters such as `"ix"`. Unknown letters are ignored, as in Ruby. */
export function parseOptionLetters(letters: string): RegexOptions {
  return {
    ...NO_OPTIONS,
    ignoreCase: letters.includes('i'),
    dotAll: letters.includes('m'),
    extended: letters.includes('x'),
  }
}

const DELIMITED = /^\/(.*)\/([imx]*)$/s

/** Splits a pattern into its source and its option letters. The pattern may have delimiters, as in `/[a-z]+/i`. */
export function splitDelimiters(source: string): { readonly body: string; readonly letters: string } {
  const delimitedMatch = DELIMITED.exec(source)
  return { body: delimitedMatch?.[1] ?? source, letters: delimitedMatch?.[2] ?? '' }
}
