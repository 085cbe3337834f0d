/** `filter-argument-type`: a value of the wrong type for a filter. `parameter` is `input` for the piped value. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, quote } from '../../../../core/diagnostics/words.ts'

export const filterArgumentType = message(
  'filter-argument-type',
  'warning',
  'ValidFilterArgumentTypes',
  (filter: string, parameter: string, expected: string, found: string) => ({
    subject: { kind: 'argument', name: parameter, of: filter, type: found },
    text:
      parameter === 'input'
        ? `The filter ${quote(filter)} needs ${withArticle(expected)}, but this is ${withArticle(found)}.`
        : `The filter ${quote(filter)} needs ${withArticle(expected)} as ${parameter.includes(' ') ? parameter : quote(parameter)}, but this is ${withArticle(found)}.`,
  }),
  {
    wrong: `{{ 'a' | array_sum }}`,
    right: '{% assign list = [1, 2] %}{{ list | array_sum }}',
  },
)
