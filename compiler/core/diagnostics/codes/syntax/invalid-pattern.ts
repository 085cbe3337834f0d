/** `invalid-pattern`: a regular expression of a filter that cannot be run. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const invalidPattern = message(
  'invalid-pattern',
  'warning',
  'ValidRegularExpression',
  (filter: string, pattern: string, problem: string) => ({
    text: `The filter ${quoted(filter)} raises an error for the regular expression ${quoted(pattern)}: ${problem}.`,
    hint: 'Regular expressions are those of Ruby here; a backslash makes a sign stand for itself.',
  }),
  {
    wrong: `{{ 'a)' | matches: 'a)' }}`,
    right: `{{ 'a)' | matches: 'a\\)' }}`,
  },
)
