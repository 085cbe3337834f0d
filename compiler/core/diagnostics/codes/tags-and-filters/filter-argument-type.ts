/** `filter-argument-type`: a value of the wrong type for a filter. `parameter` is `input` for the piped value. */
import { message } from '../../diagnostic.ts'
import { a, quoted } from '../../words.ts'

export const filterArgumentType = message(
  'filter-argument-type',
  'warning',
  'ValidFilterArgumentTypes',
  (filter: string, parameter: string, expected: string, found: string) => ({
    text:
      parameter === 'input'
        ? `The filter ${quoted(filter)} needs ${a(expected)}, and this is ${a(found)}.`
        : `The filter ${quoted(filter)} needs ${a(expected)} as ${parameter.includes(' ') ? parameter : quoted(parameter)}, and this is ${a(found)}.`,
  }),
  {
    wrong: `{{ 'a' | array_sum }}`,
    right: '{% assign list = [1, 2] %}{{ list | array_sum }}',
  },
)
