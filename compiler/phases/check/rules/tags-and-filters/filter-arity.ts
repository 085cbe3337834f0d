/** `filter-arity`: too few or too many arguments of a filter. `most` is null for a filter that takes any number. */
import type { FilterCall } from '../../../../core/tree/ast.ts'
import type { FilterSignature } from '../../../../core/model/signature.ts'
import { requiredCount } from '../../../../language/types/arity.ts'
import type { Walk } from '../../walk/walk.ts'
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

/**
 * Checks the number of arguments, and returns whether it fits. The input and each positional argument count as one argument each; all
 * named arguments together count as one.
 */
export function checkFilterArity(walk: Walk, call: FilterCall, filter: FilterSignature): boolean {
  const argumentCount = 1 + call.positional.length + (call.named.length > 0 ? 1 : 0)
  const namedCount = filter.named === null ? 0 : 1
  const minimum = requiredCount(filter.parameters) + (filter.named?.required === true ? 1 : 0)
  const maximum = filter.rest === null ? filter.parameters.length + namedCount : null
  if (argumentCount >= minimum && (maximum === null || argumentCount <= maximum)) return true
  const diagnostic = filterArity(call.span, call.name.name, argumentCount, minimum, maximum)
  // A `try` may catch the fault on purpose.
  walk.report(walk.flow.inTry ? { ...diagnostic, severity: 'warning' } : diagnostic)
  return false
}
