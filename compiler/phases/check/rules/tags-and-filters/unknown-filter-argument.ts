/** `unknown-filter-argument`: a named argument that the filter does not read. */
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
