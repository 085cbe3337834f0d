/**
 * Regular expressions as a site writes them, in Ruby's manner. RE2 runs them in linear time; only what it does not know (a look
 * ahead, a reference back) runs natively, on texts of bounded length.
 */
import { ArgumentFault } from '../../fault.ts'
import type { RegexOptions } from '../../regex/index.ts'

export type Pattern = (text: string) => boolean

/** Texts beyond this length match no native pattern: it might take for ever. */
const NATIVE_TEXT = 2_000

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
  const { delimited, nativePattern, optionsOf, readPattern, Regex } = await import('../../regex/index.ts')
  const { body, letters } = delimited(source)
  const options: RegexOptions = { ...optionsOf(letters), wholeText: !multiline }
  try {
    const regex = new Regex(body, options)
    return (text) => regex.test(text)
  } catch (error) {
    if (!(error instanceof ArgumentFault)) throw error
  }
  try {
    const native = nativePattern(readPattern(body, options))
    if (native === null) return null
    const pattern = new RegExp(native.source, native.flags)
    return (text) => text.length <= NATIVE_TEXT && pattern.test(text)
  } catch (error) {
    // A pattern that is none, or beyond what either engine takes.
    if (error instanceof ArgumentFault || error instanceof SyntaxError) return null
    throw error
  }
}
