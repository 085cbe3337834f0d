/** `filter-arity`: too few or too many arguments of a filter. `most` is null for a filter that takes any number. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formatCount, quote } from '../../../../core/diagnostics/words.ts'

export const filterArity = message(
  'filter-arity',
  'error',
  'FilterArity',
  (filter: string, given: number, least: number, most: number | null) => ({
    text: `The filter ${quote(filter)} takes ${
      most === null
        ? `at least ${formatCount(least, 'argument')}`
        : least === most
          ? formatCount(least, 'argument')
          : `${least} to ${formatCount(most, 'argument')}`
    }, but ${given} ${given === 1 ? 'is' : 'are'} given.`,
    change: most === 0 ? { edits: [{ match: '^(\\|\\s*\\w+)\\s*:[^]*$', text: '$1' }], safe: false } : undefined,
  }),
  {
    wrong: `{{ 'x' | upcase: 1 }}`,
    right: `{{ 'x' | upcase }}`,
  },
)
