/** `missing-query`: a stored query that does not exist. */
import { suggestClosingQuote, suggestReplacement } from '../../../../core/diagnostics/change.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { type Fix, message } from '../../../../core/diagnostics/diagnostic.ts'
import { findNearestPath } from '../../../../core/diagnostics/suggest.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { withAbsentModule } from '../../../../core/diagnostics/absent-modules.ts'
import type { Expression } from '../../../../core/tree/ast.ts'
import { literalText } from '../../walk/literal-text.ts'
import type { Walk } from '../../walk/walk.ts'

/**
 * Reports a name without a stored query. Returns whether the name belongs to a module that is not installed.
 * @param isOnly whether the expression can have no other text
 */
export function reportMissingQuery(walk: Walk, expression: Expression, name: string, isOnly: boolean): boolean {
  const { site, operations } = walk.env
  const missing = missingQuery(expression.span, name, operations.storedOperations.keys())
  const diagnostic = withAbsentModule(site.modules, name, missing)
  const isAbsent = diagnostic.absent !== undefined
  // If several names are possible, this one may never be used. A query of an absent module may run only where the module is installed.
  const isSure = isOnly && (!isAbsent || literalText(expression) !== null)
  walk.report(isSure ? diagnostic : { ...diagnostic, severity: 'warning' })
  return isAbsent
}

function suggestFix(name: string, knownNames: Iterable<string>): Fix {
  const names = [...knownNames]
  const quoteFix = suggestClosingQuote(name, names)
  if (quoteFix !== undefined) return quoteFix
  const nearestName = findNearestPath(name, names)
  const fix = suggestReplacement(name, nearestName)
  if (nearestName === null || fix === undefined)
    return { hint: `Create ${quote(`app/graphql/${name}.graphql`)}, or remove the call.` }
  return nearestName.endsWith(`/${name}`) ? { ...fix, hint: `Write its full name: ${quote(nearestName)}.` } : fix
}

export const missingQuery = message(
  'missing-query',
  'error',
  'MissingPartial',
  (name: string, knownNames: Iterable<string>) => ({
    subject: { kind: 'query', name },
    text: `There is no query named ${quote(name)}.`,
    ...suggestFix(name, knownNames),
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'boks' %}{% graphql h = 'books' %}{{ g }}{{ h.records }}` }),
    right: bookSite({ page: `{% graphql h = 'books' %}{{ h.records }}` }),
  },
)
