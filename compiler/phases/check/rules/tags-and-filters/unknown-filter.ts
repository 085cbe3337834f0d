/** `unknown-filter`: a filter that does not exist. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formatForeignHint, findForeignFilter } from '../../../../core/diagnostics/foreign-names.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unknownFilter = message(
  'unknown-filter',
  'error',
  'UnknownFilter',
  (name: string, knownNames: Iterable<string>, dialect: 'platform' | 'liquid' = 'platform') => {
    const foreign = findForeignFilter(name)
    return {
      subject: { kind: 'filter', name },
      text: `There is no filter named ${quote(name)}.`,
      ...(foreign === null
        ? suggestName(name, knownNames)
        : { hint: formatForeignHint(name, 'filter', foreign, dialect) }),
    }
  },
  {
    wrong: `{{ 'a' | upcas }}`,
    right: `{{ 'a' | upcase }}`,
  },
)
