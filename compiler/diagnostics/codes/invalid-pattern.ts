/** `invalid-pattern`: a regular expression of a filter that cannot be run. */
import { message } from '../diagnostic.ts'
import { quoted } from '../words.ts'

export const invalidPattern = message(
  'invalid-pattern',
  'warning',
  'ValidRegularExpression',
  (filter: string, pattern: string, problem: string) => ({
    text: `The filter ${quoted(filter)} raises an error for the regular expression ${quoted(pattern)}: ${problem}.`,
    hint: 'Regular expressions take linear time here: they look neither ahead nor back to what a group has matched.',
  }),
  {
    wrong: `{{ 'ab' | matches: 'a(?=b)' }}`,
    right: `{{ 'ab' | matches: 'ab' }}`,
  },
)
