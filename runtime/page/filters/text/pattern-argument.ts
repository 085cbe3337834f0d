/** Reads regular expressions in filter arguments. */
import { ArgumentFault } from '../../fault.ts'
import { parseOptionLetters, type Regex, compileRegex } from '../../regex/index.ts'
import { BoxedText } from '../../values/boxed.ts'
import { str } from '../../values/text.ts'
import { TextualHash } from '../../values/textual-hash.ts'

/**
 * Returns the regular expression of a filter's arguments.
 * @throws ArgumentFault, which names the filter, for an invalid expression
 */
export function patternArgument(pattern: unknown, options: unknown, filter: string): Regex {
  if (typeof pattern !== 'string' && !(pattern instanceof BoxedText))
    throw new ArgumentFault(`${filter} filter - the regular expression must be a string`)
  try {
    return compileRegex(str(pattern), parseOptionLetters(str(options)))
  } catch (error) {
    if (error instanceof ArgumentFault) throw new ArgumentFault(`${filter} filter - ${error.message}`)
    throw error
  }
}

/**
 * Returns the first argument as a text. Nil becomes the empty text.
 * @throws ArgumentFault for other values
 */
export function textArgument(input: unknown, filter: string): string {
  if (typeof input === 'string' || input instanceof BoxedText || input instanceof TextualHash) return str(input)
  if (input === null || input === undefined) return ''
  throw new ArgumentFault(`${filter} filter - first argument must be a string`)
}
