/** `unknown-filter-argument`: a named argument that the filter does not read. */
import type { FilterCall } from '../../../../core/tree/ast.ts'
import type { FilterSignature } from '../../../../core/model/signature.ts'
import type { Walk } from '../../walk/walk.ts'
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unknownFilterArgument = message(
  'unknown-filter-argument',
  'warning',
  'ValidFilterArgumentTypes',
  (filter: string, name: string, knownNames: Iterable<string>) => ({
    text: `The filter ${quote(filter)} has no argument named ${quote(name)}.`,
    ...suggestName(name, knownNames),
  }),
  {
    wrong: `{{ context.params.a | default: 'x', alow_false: true }}`,
    right: `{{ context.params.a | default: 'x', allow_false: true }}`,
  },
)

/** Reports named arguments that a filter does not declare. */
export function checkFilterArgumentNames(walk: Walk, call: FilterCall, filter: FilterSignature): void {
  if (filter.named === null || filter.named.open) return
  const { names } = filter.named
  for (const { name } of call.named) {
    if (!names.includes(name.name)) walk.report(unknownFilterArgument(name.span, call.name.name, name.name, names))
  }
}
