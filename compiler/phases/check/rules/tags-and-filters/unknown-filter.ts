/** `unknown-filter`: a filter that does not exist. */
import type { FilterSignature } from '../../../../core/model/signature.ts'
import type { NameNode } from '../../../../core/tree/ast.ts'
import type { Walk } from '../../walk/walk.ts'
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formatForeignHint, findForeignFilter } from '../../../../core/diagnostics/foreign-names.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

/** What to do without a filter of a similar name. Sites cannot define filters. */
const ALTERNATIVES = {
  platform: "Write a function: `{% function text = 'NAME', input: text %}` runs the file `app/lib/NAME.liquid`.",
  liquid: 'Add it as a custom filter with the option `filters` of `createEngine`.',
} as const

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
        ? (suggestName(name, knownNames) ?? { hint: ALTERNATIVES[dialect] })
        : { hint: formatForeignHint(name, 'filter', foreign, dialect) }),
    }
  },
  {
    wrong: `{{ 'a' | upcas }}`,
    right: `{{ 'a' | upcase }}`,
  },
)

/** Returns the filter with a name. If there is none, reports it and returns null. The site may set such reports to warnings. */
export function findFilter({ env, findings }: Walk, { name, span }: NameNode): FilterSignature | null {
  const filter = env.filters.get(name)
  if (filter !== undefined) return filter
  const diagnostic = unknownFilter(span, name, env.filters.keys(), env.site.dialect)
  findings.report(env.site.config.liquidCheckMode === 'warning' ? { ...diagnostic, severity: 'warning' } : diagnostic)
  return null
}
