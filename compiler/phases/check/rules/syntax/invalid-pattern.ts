/** `invalid-pattern`: an invalid regular expression in a filter. */
import type { FilterCall } from '../../../../core/tree/ast.ts'
import { regexProblem } from '../../../../language/settings/option-values.ts'
import { locatedText } from '../../walk/literal-text.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const invalidPattern = message(
  'invalid-pattern',
  'warning',
  'ValidRegularExpression',
  (filter: string, pattern: string, problem: string) => ({
    text: `The filter ${quote(filter)} raises an error for the regular expression ${quote(pattern)}: ${problem}.`,
    hint: 'Use the regular expression syntax of Ruby. A backslash escapes a special character.',
  }),
  {
    wrong: `{{ 'a)' | matches: 'a)' }}`,
    right: `{{ 'a)' | matches: 'a\\)' }}`,
  },
)

/**
 * Reports an invalid pattern in the first argument of a filter.
 * @param options the index of the argument with the flags of the pattern
 */
export function checkPattern(walk: Walk, call: FilterCall, options: number): void {
  const pattern = locatedText(call.positional[0])
  const argument = call.positional[options]
  const letters = argument === undefined ? { text: '' } : locatedText(argument)
  if (pattern === null || pattern.text.trim() === '' || letters === null) return
  const problem = regexProblem(pattern.text, letters.text)
  if (problem !== null) walk.report(invalidPattern(pattern.span, call.name.name, pattern.text, problem))
}
