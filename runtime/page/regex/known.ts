/** Caches compiled patterns by source. */
import { ArgumentFault } from '../fault.ts'
import { NO_OPTIONS, type RegexOptions } from './node.ts'
import { Regex, shownPattern } from './regex.ts'

/** Limits of the cache: patterns may come from visitors, so only recent, short ones are kept. */
const MAX_CACHED = 300
const MAX_KEPT_SOURCE = 1000
const known = new Map<string, Regex>()

/**
 * Compiles a regular expression.
 * @throws ArgumentFault, with the pattern and the reason, when it is invalid in Ruby or uses an unsupported feature
 */
export function regexOf(source: string, options: RegexOptions): Regex {
  const key = `${options.ignoreCase ? 'i' : ''}${options.dotAll ? 'm' : ''}${options.extended ? 'x' : ''}${options.wholeText ? 'w' : ''}/${source}`
  const found = known.get(key)
  if (found !== undefined) {
    known.delete(key)
    known.set(key, found)
    return found
  }
  const made = compiled(source, options)
  if (source.length > MAX_KEPT_SOURCE) return made
  for (const oldest of known.keys()) {
    if (known.size < MAX_CACHED) break
    known.delete(oldest)
  }
  known.set(key, made)
  return made
}

function compiled(source: string, options: RegexOptions): Regex {
  try {
    return new Regex(source, options)
  } catch (error) {
    if (!(error instanceof ArgumentFault)) throw error
    throw new ArgumentFault(`invalid regular expression ${shownPattern(source)}: ${error.message}`)
  }
}

/** What is wrong with a pattern; null when it is valid. */
export function patternProblem(source: string, options: RegexOptions): string | null {
  try {
    new Regex(source, options)
    return null
  } catch (error) {
    if (error instanceof ArgumentFault) return error.message
    throw error
  }
}

/** The options for letters such as `"ix"`; unknown letters are ignored, as in Ruby. */
export function optionsOf(letters: string): RegexOptions {
  return {
    ...NO_OPTIONS,
    ignoreCase: letters.includes('i'),
    dotAll: letters.includes('m'),
    extended: letters.includes('x'),
  }
}

const DELIMITED = /^\/(.*)\/([imx]*)$/s

/** Splits a pattern that may be delimited, `/[a-z]+/i`, from its option letters. */
export function delimited(source: string): { readonly body: string; readonly letters: string } {
  const found = DELIMITED.exec(source)
  return { body: found?.[1] ?? source, letters: found?.[2] ?? '' }
}
