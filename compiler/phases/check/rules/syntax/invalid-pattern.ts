/** `invalid-pattern`: an invalid regular expression in a filter. */
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
