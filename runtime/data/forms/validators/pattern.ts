/** Regular expressions as a site writes them, in Ruby's manner. */
import { ArgumentFault, LimitFault } from '../../../page/fault.ts'
import type { Regex, RegexOptions } from '../../../page/regex/index.ts'

export type Pattern = (text: string) => boolean

/** Patterns come from configurations; those with Liquid inside may be many. */
const KEPT = 500
const known = new Map<string, Pattern | null>()

/**
 * The pattern of a source: bare, or as `/…/imx`. Without `multiline`, `^` and `$` are the ends of the whole text. Null for what is none.
 */
export async function patternOf(source: string, multiline: boolean): Promise<Pattern | null> {
  const key = `${multiline ? 'm' : ' '}${source}`
  let pattern = known.get(key)
  if (pattern === undefined) {
    pattern = await compiled(source, multiline)
    if (known.size >= KEPT) known.clear()
    known.set(key, pattern)
  }
  return pattern
}

async function compiled(source: string, multiline: boolean): Promise<Pattern | null> {
  // The engine is loaded by the first form that has a pattern.
  const { delimited, optionsOf, Regex } = await import('../../../page/regex/index.ts')
  const { body, letters } = delimited(source)
  const options: RegexOptions = { ...optionsOf(letters), wholeText: !multiline }
  try {
    const regex = new Regex(body, options)
    return (text) => isMatch(regex, text)
  } catch (error) {
    if (error instanceof ArgumentFault) return null
    throw error
  }
}

/** A text that takes too long to tell does not match. */
function isMatch(regex: Regex, text: string): boolean {
  try {
    return regex.test(text)
  } catch (error) {
    if (error instanceof LimitFault) return false
    throw error
  }
}
